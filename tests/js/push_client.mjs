// A pusher-js that a test drives: commands come in as lines of JSON, what happens goes out as lines of JSON.
//   node push_client.mjs '{"key": …, "options": {…}}'
import { createInterface } from "node:readline";
import Pusher from "pusher-js";

const tell = (what) => process.stdout.write(JSON.stringify(what) + "\n");
const { key, options } = JSON.parse(process.argv[2]);
const pusher = new Pusher(key, options);
pusher.connection.bind("state_change", ({ current }) => tell({ state: current }));
pusher.connection.bind("error", (error) => tell({ error: error.data ?? String(error) }));

const commands = {
  subscribe(name) {
    pusher.subscribe(name).bind_global((event, data) => tell({ channel: name, event, data }));
  },
  unsubscribe: (name) => pusher.unsubscribe(name),
  trigger: (name) => tell({ triggered: pusher.channel(name).trigger("client-hello", { here: true }) }),
  id: () => tell({ id: pusher.connection.socket_id }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...rest] = JSON.parse(line);
  commands[name](...rest);
}
pusher.disconnect();
