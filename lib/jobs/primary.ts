// Questions of worker processes to their primary process (lib/server/workers.ts), for the little state that neither
// belongs to one worker nor may be in the database.
import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';

type Question = { florin: 'question'; id: string; name: string; argument: unknown };
type Answer = { florin: 'answer'; id: string; value?: unknown; failed?: true };

/** The answers of a primary process by the name of the question. */
export type Answers = { [name: string]: (argument: never) => unknown };

const timeoutSeconds = 5;
const waiting = new Map<string, (answer: Answer) => void>();
let listening = false;

/** Whether this process is one of several workers of a primary process. */
export function isWorkerProcess(): boolean {
  return cluster.isWorker;
}

/** Asks the primary process; argument and answer are plain data. */
export function askPrimary(name: string, argument?: unknown, seconds = timeoutSeconds): Promise<unknown> {
  if (!listening) {
    listening = true;
    process.on('message', (message: Partial<Answer> | null) => {
      if (message?.florin === 'answer') waiting.get(message.id ?? '')?.(message as Answer);
    });
  }
  const id = randomUUID();
  return new Promise((done, fail) => {
    const finish = (answer: Answer | null) => {
      clearTimeout(timer);
      waiting.delete(id);
      if (answer && !answer.failed) done(answer.value);
      else fail(new Error(`the primary process did not answer: ${name}`));
    };
    const timer = setTimeout(finish, seconds * 1000, null);
    waiting.set(id, finish);
    const question: Question = { florin: 'question', id, name, argument };
    process.send?.(question, (error: Error | null) => error && finish(null));
  });
}

/** Answers the questions of all workers. */
export function answerWorkers(answers: Answers): void {
  cluster.on('message', async (worker: Worker, message: Partial<Question> | null) => {
    if (message?.florin !== 'question') return;
    const { id = '', name = '', argument } = message;
    const answer = await Promise.resolve(argument)
      .then((given) => answers[name]?.(given as never))
      .then((value): Answer => ({ florin: 'answer', id, value }))
      .catch((): Answer => ({ florin: 'answer', id, failed: true }));
    if (worker.isConnected()) worker.send(answer);
  });
}
