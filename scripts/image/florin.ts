#!/usr/bin/env node
// The florin command of the image.
import { deployment } from '../commands/deployment.ts';
import { florin } from '../commands/florin.ts';

await florin(process.argv.slice(2), { Operate: deployment });
