/** Blocks that do not run in the tests of this folder. */
export interface Exception {
  readonly page: string
  /** Only blocks below this heading; default all of the page. */
  readonly heading?: string
  readonly languages: readonly string[]
  /** How many blocks that is, so that a new one is noticed. */
  readonly count: number
  readonly reason: string
  /** The test that runs them. Without one, only their commands, flags, scripts and routes are looked up. */
  readonly test?: string
}

const guides = 'packages/docs/guides'

/** The only list of blocks that do not run here, each with its reason. */
export const exceptions: readonly Exception[] = [
  {
    page: 'packages/docs/api/diffs.md',
    heading: 'Request',
    languages: ['sh'],
    count: 1,
    reason: 'needs a transformation of a server, and its token',
  },
  {
    page: `${guides}/diff.md`,
    heading: 'Events of a server',
    languages: ['sh'],
    count: 1,
    reason: 'needs a server that has events in its log',
  },
  {
    page: `${guides}/diff.md`,
    heading: 'GitHub',
    languages: ['yaml'],
    count: 1,
    reason: 'is a workflow of GitHub',
  },
  {
    page: `${guides}/browsers.md`,
    languages: ['js'],
    count: 2,
    reason: 'runs in a browser',
    test: 'test/sdk/browsers.test.ts',
  },
  {
    page: `${guides}/browsers.md`,
    languages: ['html'],
    count: 2,
    reason: 'runs in a browser',
    test: 'test/sdk/snippets.test.ts',
  },
  {
    page: `${guides}/send-events.md`,
    languages: ['js', 'python', 'go', 'ruby', 'php', 'java', 'bash'],
    count: 8,
    reason: 'is for other languages, with SDKs of their own',
    test: 'test/sdk/send-events.test.ts',
  },
  {
    page: `${guides}/run-anywhere.md`,
    languages: ['js'],
    count: 4,
    reason: 'runs on other platforms than Node, too',
    test: 'test/runtimes/guide.test.ts',
  },
  ...[
    { heading: 'Name the package in a workspace', languages: ['yaml', 'console'], count: 2 },
    { heading: 'Try it without sending', languages: ['console', 'json'], count: 2 },
  ].map((part) => ({
    ...part,
    page: `${guides}/segment-destinations.md`,
    reason: 'needs a package of 100 MB, and is skipped without it',
    test: 'test/segment-actions/guide.test.ts',
  })),
  {
    page: 'packages/testing/README.md',
    heading: 'Tests in TypeScript',
    languages: ['ts'],
    count: 1,
    reason: 'is a file of tests, run by sluice test',
    test: 'test/cli/test-files.test.ts',
  },
  {
    page: 'packages/sluice/template/README.md',
    languages: ['sh'],
    count: 1,
    reason: 'needs the project around it, installed; test/cli/new-project.test.ts installs one',
  },
  {
    page: 'packages/postgres/README.md',
    languages: ['ts'],
    count: 1,
    reason: 'needs a PostgreSQL server; it is compiled',
  },
  { page: '.github/CONTRIBUTING.md', languages: ['sh'], count: 2, reason: 'runs all tests, benches and builds' },
  { page: 'packages/docs/performance.md', languages: ['sh'], count: 1, reason: 'benches take minutes' },
  {
    page: `${guides}/start.md`,
    languages: ['sh'],
    count: 4,
    reason: 'installs and builds a checkout; test/cli/start.test.ts runs npm start',
  },
  {
    page: `${guides}/embed.md`,
    languages: ['sh'],
    count: 1,
    reason: 'installs packages from a registry',
  },
  {
    page: `${guides}/operate.md`,
    heading: 'Back up and restore',
    languages: ['bash'],
    count: 1,
    reason: 'needs the folder of a server that was set up as the guide says; test/cli/restore.test.ts runs the command',
  },
  {
    page: `${guides}/operate.md`,
    heading: 'Install',
    languages: ['sh'],
    count: 2,
    reason: 'packs a checkout and installs the files; test/deploy.system.test.ts runs these steps',
  },
  {
    page: `${guides}/segment-destinations.md`,
    languages: ['sh'],
    count: 1,
    reason: 'installs a package of 100 MB from a registry',
  },
  { page: 'packages/segment-actions/README.md', languages: ['sh'], count: 1, reason: 'the same' },
  {
    page: `${guides}/operate-a-cluster.md`,
    languages: ['bash'],
    count: 7,
    reason: 'needs PostgreSQL and several processes; test/nodes runs these commands',
  },
  {
    page: `${guides}/migrate-from-segment.md`,
    languages: ['sh'],
    count: 2,
    reason: 'needs an account at Segment; test/cli/import.test.ts imports exports',
  },
  {
    page: `${guides}/migrate-from-rudderstack.md`,
    languages: ['sh'],
    count: 1,
    reason: 'needs an export of RudderStack; test/cli/import.test.ts imports exports',
  },
]
