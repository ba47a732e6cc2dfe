// What comes before the eye when it has to live in the page's own world, because the driver can only evaluate script.
// There the page could see it, and shares every built-in with it: this is the fallback, not the fortress.

const STAMP = "data-llm-id";

// Stamping is our doing, not the page's: nobody who watches the page for what happens there is to hear of it.
const MutationObserver = class extends globalThis.MutationObserver {
  constructor(hear) {
    super((records, observer) => {
      const others = records.filter(isOfThePage);
      if (others.length) hear(others, observer);
    });
  }
  takeRecords() {
    return super.takeRecords().filter(isOfThePage);
  }
};
const isOfThePage = (record) => record.attributeName !== STAMP;
