'use client';
// A colour of the payment page, and what the page shows otherwise than chosen, so that its text can be read.
import { useFormContext, useWatch } from 'react-hook-form';
import { contrast, parseHex } from '../../../lib/core/colour.ts';
import type { BrandingForm } from '../../../lib/dashboard/branding/contract.ts';
import { accentsOf, canvasesOf, grounds, type Mending, mendingsOf } from '../../pay/theme.ts';
import { TextInput } from '../ui/index.ts';

type Name = 'accent' | 'background';

const defaults = { accent: '#24409c', background: grounds.light.canvas } as const;

export function ColourField({ name, label }: { name: Name; label: string }) {
  const { register, setValue } = useFormContext<BrandingForm>();
  const colour = useWatch<BrandingForm, Name>({ name });
  return (
    <span className="flex items-center gap-2">
      <input
        type="color"
        aria-label={label}
        value={parseHex(colour) ? colour : defaults[name]}
        onChange={({ target }) => setValue(name, target.value, { shouldDirty: true, shouldValidate: true })}
        className="size-8 shrink-0 cursor-pointer rounded-control border border-solid border-field bg-raised p-1 phone:size-11"
      />
      <TextInput mono size="short" placeholder="Default colour" {...register(name)} />
    </span>
  );
}

// Rounded down, because 4.48 is too little where 4.5 is required.
const ratioText = (ratio: number) => `${(Math.floor(ratio * 10) / 10).toFixed(1)} : 1`;

/** The sentence about a part of the page, in which `ratio` is the contrast of the colour as chosen. */
const sentences: Record<Mending['part'], (ratio: string, shown: string, scheme: Mending['scheme']) => string> = {
  button: (ratio, shown) =>
    `White text would be hard to read on the button (${ratio}), so that it is shown darker, as ${shown}.`,
  links: (ratio, shown, scheme) =>
    scheme === 'light'
      ? `Links would be hard to read in light mode (${ratio}); they are shown darker, as ${shown}.`
      : `Links would be hard to read in dark mode (${ratio}); they are shown lighter, as ${shown}.`,
  edge: (ratio, shown, scheme) =>
    `The button would be hard to see in ${scheme} mode (${ratio}); it gets an edge in ${shown}.`,
  background: (ratio, shown) =>
    `Grey text and fields would be hard to see on it (${ratio}); it is shown lighter, as ${shown}.`,
};

/** The contrast of a colour, and how the page mends it. */
export function ColourFacts({ of, accent, background }: { of: Name } & Pick<BrandingForm, Name>) {
  const first = of === 'accent' ? accentText(accent) : backgroundText(background);
  if (first === null) return 'As #rrggbb. Empty uses Florin’s default colour.';
  const mended = mendingsOf({ accent, background })
    .filter(({ part }) => (part === 'background') === (of === 'background'))
    .map(({ part, ratio, shown, scheme }) => sentences[part](ratioText(ratio), shown, scheme));
  return [first, ...mended].map((sentence) => (
    <span key={sentence} className="mt-1 block first:mt-0">
      {sentence}
    </span>
  ));
}

const textNames: Record<string, string> = { '#ffffff': 'white', [grounds.ink]: 'dark', '#000000': 'black' };

function accentText(accent: string): string | null {
  const [colour, text] = [parseHex(accent), accentsOf(accent)?.light['on-accent'] ?? ''];
  const on = parseHex(text);
  if (!colour || !on) return null;
  return `The button’s text is ${textNames[text]}, with a contrast of ${ratioText(contrast(on, colour))}.`;
}

function backgroundText(background: string): string | null {
  const canvases = canvasesOf(background);
  return canvases && `Behind the form. In dark mode it is ${canvases.dark}.`;
}
