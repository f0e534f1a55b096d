// Returns the axe findings of a page and its frames. axe's own Playwright package also reports every passed rule for
// every element and merges the results in a second window, which takes two thirds of a check's CPU time.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from '@playwright/test';
import type axeCore from 'axe-core';
import type { FrameContextObject, PartialResult, Result, RunOptions } from 'axe-core';

declare const window: Window & { axe?: typeof axeCore };

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The checked part of a page, and the disabled rules. */
type Scope = {
  /** Selectors of excluded elements. */
  exclude?: string[];
  /** Rules that do not apply. */
  disabled?: string[];
};

/** Runs every axe rule on a page and its frames, including frames of other origins. */
export async function violationsOf(page: Page, { exclude = [], disabled = [] }: Scope = {}): Promise<Result[]> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(disabled.map((rule) => [rule, { enabled: false }])),
  };
  const context: FrameContextObject = { include: [], exclude: exclude.map((selector) => [selector]) };
  if (page.frames().length > 1) return violationsInFrames(page.mainFrame(), context, options);
  await inject(page.mainFrame());
  return page.evaluate(
    async ([context, options]) => {
      const { violations } = (await window.axe?.run(context, options)) ?? {};
      if (!violations) throw new Error('axe has not run');
      return violations;
    },
    [context, options] as const,
  );
}

async function violationsInFrames(main: Frame, context: FrameContextObject, options: RunOptions): Promise<Result[]> {
  const partial = await partialOf(main, context, options);
  return main.evaluate(
    async ([partials, options]) => {
      const { violations } = (await window.axe?.finishRun(partials, options)) ?? {};
      if (!violations) throw new Error('axe has not run');
      return violations;
    },
    [partial, options] as const,
  );
}

/**
 * The findings of a frame, then those of its child frames in order. Returns nothing for a frame that has been removed.
 */
async function partialOf(
  frame: Frame,
  context: FrameContextObject,
  options: RunOptions,
): Promise<(PartialResult | null)[]> {
  await inject(frame);
  const inner = await frame.evaluate((context) => window.axe?.utils.getFrameContexts(context) ?? [], context);
  const own = await frame.evaluate(
    async ([context, options]) => (await window.axe?.runPartial(context, options)) ?? null,
    [context, options] as const,
  );
  const all = [own];
  for (const { frameSelector, frameContext } of inner) {
    const element = await frame.evaluateHandle(
      (selector) => window.axe?.utils.shadowSelect(selector) ?? null,
      frameSelector,
    );
    const child = await element.asElement()?.contentFrame();
    all.push(...(child ? await partialOf(child, frameContext, options).catch(() => [null]) : [null]));
  }
  return all;
}

// A document that was checked before already contains axe.
async function inject(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => window.axe !== undefined))) await frame.evaluate(source);
}
