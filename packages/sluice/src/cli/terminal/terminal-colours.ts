/**
 * Turns colours off unless standard output is a terminal: libraries such as vitest also print them for `CI` or
 * `FORCE_COLOR`. Must be imported first, because libraries read the environment when they are loaded.
 */
if (process.stdout.isTTY !== true) {
  // With both, Node warns in every process that one of them is ignored.
  delete process.env['FORCE_COLOR']
  process.env['NO_COLOR'] = '1'
}
