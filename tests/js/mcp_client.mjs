// An MCP client of another maker: starts the server named on the command line, carries out the calls that stand on
// standard input (a JSON list of {name, arguments}), and prints what it was told as one JSON object.
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = process.argv.slice(2);
const calls = JSON.parse(await text(process.stdin));
const client = new Client({ name: "browserx-tests", version: "1" });
const transport = new StdioClientTransport({ command, args, stderr: "inherit" });
await client.connect(transport);
try {
  const { tools } = await client.listTools();
  const results = [];
  for (const { name, arguments: given } of calls) {
    results.push(await client.callTool({ name, arguments: given }));
  }
  console.log(
    JSON.stringify({ server: client.getServerVersion(), instructions: client.getInstructions(), tools, results }),
  );
} finally {
  await client.close();
}
