// What the fuzzer calls: a parser, or an address that takes the parser's input.
import type fc from 'fast-check';

/** A parser: its inputs, and what it does with one. It throws for a violation only. */
export type Parser = { inputs: fc.Arbitrary<Buffer>; parse: (input: Buffer) => unknown };
