// Holds server.json to the schema of the registry.
//
//   node registry.mjs SCHEMA server.json

import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import formats from 'ajv-formats';

const [schema, server] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const ajv = new Ajv({ strict: false, allErrors: true });
formats.default(ajv);
const fits = ajv.compile(schema);

function check(what, expected) {
  if (fits(what) === expected) return;
  console.error(expected ? ajv.errorsText(fits.errors, { separator: '\n' }) : `the schema takes this: ${JSON.stringify(what)}`);
  process.exit(1);
}

if (server.$schema !== schema.$id) throw new Error(`server.json is written for ${server.$schema}, the schema is ${schema.$id}`);
check(server, true);
check({ ...server, name: 'no slash' }, false); // the schema is one that refuses
check({ ...server, packages: [{ ...server.packages[1], fileSha256: 'x' }] }, false);
if (/OWNER|VERSION|0\.0\.0/.test(JSON.stringify(server))) throw new Error('something in server.json was not filled in');
