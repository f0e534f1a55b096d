// Runs the due rows in this process, again and again. Rounds never overlap: the pause starts when a round has ended.
import { now } from './clock';
import { tick } from './jobs';
import { log } from './log';

const pauseMilliseconds = 300;

/** Starts the loop; the returned function stops it and resolves when the round under way has ended. */
export function startJobs(): () => Promise<void> {
  let stopped = false;
  let wake = () => {};
  const pause = () =>
    new Promise<void>((done) => {
      const timer = setTimeout(done, pauseMilliseconds);
      wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  const loop = async () => {
    while (!stopped) {
      try {
        await tick(now());
      } catch (err) {
        log.error({ err }, 'a round of jobs failed');
      }
      if (!stopped) await pause();
    }
  };
  const running = loop();
  return () => {
    stopped = true;
    wake();
    return running;
  };
}
