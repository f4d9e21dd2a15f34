import { Command, InvalidArgumentError, Option } from 'commander'
import { withDestinationFlags } from '../destination-flags.ts'
import { withSandboxFlags } from '../sandbox-flags.ts'
import { notTestedStatus } from './outcome.ts'
import type { TestFlags } from './test-projects.ts'

/** `sluice test`: runs the cases of transformations that lie in folders, offline, in the sandbox of production. */
export function testCommand(): Command {
  const command = new Command('test')
    .description('run the cases of transformations against what is expected, offline, in the sandbox of production')
    .argument('[paths...]', 'project, or files and folders of one (default: this folder)')
    .option(
      '--filter <text>',
      'only cases whose “transformation / case” contains this, and tests of test files whose name does',
    )
    .option('--bail', 'end with the first case that fails')
    .option('--update', 'write what comes out where it is not what is expected; snapshots of test files as well')
    .option('--record', 'test files: ask the network for what withFetch has no answer for, and record it')
    .option('--watch', 'stay, and run again what a saved file concerns')
    .option('--coverage', 'count what the tests pass of the code, and show what they do not')
    .option('--coverage-threshold <percent>', 'the same, and fail below this of statements or of branches', percent)
    .option('--lcov <file>', 'the same, and write it there for editors')
    .option('--json', 'print one JSON object, the same as --reporter json')
    .addOption(new Option('--reporter <kind>', 'how it is told').choices(['text', 'json', 'junit']).default('text'))
    .option('--out <file>', 'write the json or junit report there, and tell it as text as well')
    // A wrong flag is no failed test.
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : notTestedStatus))
  return withSandboxFlags(withDestinationFlags(command))
    .addHelpText(
      'after',
      `
Test files (NAME.test.ts, with @sluice/testing) run with the vitest of their project. A project is a folder with one of:
  transformations/NAME.ts or .js, libraries/, cases in tests/NAME/input/*.json
  one file of code, with its cases in input/*.json beside it
  the YAML files of RudderStack's CLI, or the meta.json of its transformation action
Beside input/ lie, under the same file names, output/ (what is to come out), conditions/ (now, seed, credentials, metadata)
and a folder per destination type, such as ga4/ (the requests). --destination and --settings are for these cases; test
files name a destination themselves, with .to('ga4', settings). Limits hold for both.

The exit status is 0 when all passed, 1 when a case failed or was not run, ${notTestedStatus} when nothing could be tested.

Examples:
  sluice test
  sluice test transformations/mask.ts --watch
  sluice test --filter order --update
  sluice test tests/mask.test.ts --record
  sluice test --coverage-threshold 80 --lcov coverage/lcov.info
  sluice test --reporter junit --out report.xml
  sluice test --destination webhook --settings '{"webhookUrl":"https://hook.test/in"}'`,
    )
    .action(async (paths: readonly string[], flags: TestFlags) =>
      (await import('./test-projects.ts')).testProjects(paths, flags),
    )
}

function percent(value: string): number {
  const number = Number(value)
  if (value.trim() !== '' && number >= 0 && number <= 100) return number
  throw new InvalidArgumentError('a number from 0 to 100')
}
