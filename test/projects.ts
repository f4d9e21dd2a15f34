/**
 * Which project a test file belongs to.
 *
 * `fast` has what needs no other process, no database server, no browser and no sleep: `test/setup/fast-rules.ts` holds
 * that. `sample` is one real end-to-end check. `cluster` has processes whose leases end when they get no time for a second, so fewer
 * run beside each other, and nothing else. `system` has everything else. `firefox` repeats tests of the studio in Firefox.
 */

/** Folders of `test` whose files are all of the system project. */
export const systemFolders = [
  'abuse',
  'cli',
  'clients',
  'faults',
  'nodes',
  'page-blocks',
  'release',
  'runtimes',
  'sdk',
  'segment-actions',
  'sinks',
  'studio',
  'warehouse',
]

/** Unit tests beside the code, and the folders of `test` that are not named above. */
const tests = ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts']
/** The command takes the events of the sample shop from end to end, in a process. */
export const sampleFiles = ['test/sample/*.test.ts']
/** A single file of another folder says by its name that it needs the system. */
export const systemFiles = [
  'packages/*/src/**/*.system.test.ts',
  'test/**/*.system.test.ts',
  ...systemFolders.map((folder) => `test/${folder}/**/*.test.ts`),
]
export const clusterFiles = ['test/nodes/**/*.test.ts']
/**
 * Run a second time, in Firefox. Not here: what the protocol that drives Debian's Firefox cannot do yet (save files, print,
 * stop motion, follow an address that is replaced while it loads, and keep a page in which lists of texts are read again and
 * again), hostile programs in Workers, and what does
 * not depend on the browser.
 */
export const firefoxFiles = ['live', 'pages', 'states', 'tasks', 'walks'].map((name) => `test/studio/${name}.test.ts`)
/** Files of others, and copies that a test of page blocks leaves when it is killed. */
export const noTests = ['**/node_modules/**', 'test/dist/**']
export const fastFiles = { include: tests, exclude: [...noTests, ...systemFiles, ...sampleFiles] }
