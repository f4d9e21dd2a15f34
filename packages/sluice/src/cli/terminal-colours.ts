/**
 * Colours are for terminals: libraries, vitest among them, also take `CI` or `FORCE_COLOR` for a reason to print them.
 * To be imported first, since they look at the environment when they are loaded.
 */
if (process.stdout.isTTY !== true) {
  // With both, Node warns in every process that one of them is ignored.
  delete process.env['FORCE_COLOR']
  process.env['NO_COLOR'] = '1'
}
