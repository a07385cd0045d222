// Serves prepared answers and faults in the shapes of OpenAI, Ollama and Gemini, for the tests of
// the providers. Prints the address once it listens and ends when standard input does.
import { LLMock } from '@copilotkit/aimock';

const mock = new LLMock({ port: 0 });
mock.loadFixtureFile(process.argv[2]);
await mock.start();
console.log(`READY ${mock.url}`);
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
