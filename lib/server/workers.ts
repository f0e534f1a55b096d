// Runs several worker processes on one port, so that one deployment uses several cores. The primary process starts them,
// replaces those that die, and ends when all have ended. It handles no requests itself.
import cluster, { type Worker } from 'node:cluster';
import { env } from '../config/index.ts';
import { answerWorkers } from '../jobs/index.ts';
import { isDraining, metricsAnswers } from '../operations/index.ts';
import { log } from '../telemetry/index.ts';

const firstPauseMilliseconds = 500;
const longestPauseMilliseconds = 30_000;
/** The pause starts again at its shortest after a worker that ran for this time. */
const steadyMilliseconds = 60_000;
/** Longer than a worker needs to stop, after DRAIN_SECONDS. */
const stopSeconds = 20;

/** Starts `count` workers; resolves when all serve, throws if one ends before. `stop` ends them with SIGTERM. */
export async function startWorkers(count: number, script: string): Promise<{ stop: () => Promise<void> }> {
  answerWorkers(metricsAnswers());
  cluster.setupPrimary({ exec: script, args: [] });
  const workers = Array.from({ length: count }, () => cluster.fork());
  await Promise.all(workers.map(whenServing)).catch(async (failure) => {
    await stopAll();
    throw failure;
  });
  let pauseMilliseconds = firstPauseMilliseconds;
  const replace = (worker: Worker) => {
    const startedAt = performance.now();
    worker.once('exit', (code, signal) => {
      if (isDraining()) return;
      if (performance.now() - startedAt > steadyMilliseconds) pauseMilliseconds = firstPauseMilliseconds;
      log.error({ pid: worker.process.pid, code, signal, pauseMilliseconds }, 'a worker process has ended');
      setTimeout(() => {
        if (!isDraining()) replace(cluster.fork());
      }, pauseMilliseconds);
      pauseMilliseconds = Math.min(pauseMilliseconds * 2, longestPauseMilliseconds);
    });
  };
  workers.forEach(replace);
  return { stop: stopAll };
}

function whenServing(worker: Worker): Promise<void> {
  return new Promise((done, failed) => {
    worker.once('listening', () => done());
    worker.once('exit', (code, signal) => {
      // Ctrl-C reaches the workers too.
      if (isDraining()) done();
      else failed(new Error(`A worker process ended at its start: ${signal ?? code}.`));
    });
  });
}

async function stopAll(): Promise<void> {
  const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  await Promise.all(running.map(stopWorker));
}

function stopWorker(worker: Worker): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), (env.drainSeconds + stopSeconds) * 1000);
    worker.once('exit', () => {
      clearTimeout(timer);
      done();
    });
    worker.process.kill('SIGTERM');
  });
}
