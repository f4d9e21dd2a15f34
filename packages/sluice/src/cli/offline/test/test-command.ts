import { Command, InvalidArgumentError, Option } from 'commander'
import { withCredentialFlags } from '../../flags/credential-flags.ts'
import { withDestinationFlags } from '../../flags/destination-flags.ts'
import { repeatableOption } from '../../flags/repeatable-option.ts'
import { withSandboxFlags } from '../../flags/sandbox-flags.ts'
import type { TrafficFlags } from '../traffic/test-traffic.ts'
import { notTestedStatus } from './test-outcome.ts'
import type { TestFlags } from './test-projects.ts'

/** `sluice test`: runs the test cases of transformations, offline, in the production sandbox. */
export function testCommand(): Command {
  const command = new Command('test')
    .description('run the test cases of transformations, offline, in the production sandbox')
    .argument('[paths...]', 'project, or files and folders of one (default: this folder)')
    .option(
      '--filter <text>',
      'only cases whose “transformation / case” contains this, and tests of test files whose name does',
    )
    .option(
      '--from-traffic <file>',
      'in place of cases: check laws with made-up events like those of a file, one recorded event per line',
    )
    .option('--runs <number>', 'with --from-traffic: events for each kind of event (default: 100)', wholeNumber)
    .option('--seed <number>', 'with --from-traffic: repeats the events of an earlier run', wholeNumber)
    .addOption(
      repeatableOption(
        '--personal <path>',
        'with --from-traffic: place of personal data that must not be sent, such as context.traits.ssn',
        String,
      ),
    )
    .option('--bail', 'stop at the first failing case')
    .option('--update', 'write the actual output where it differs from the expected one, and snapshots of test files')
    .option(
      '--record',
      'send requests of user code without a recorded response to the network, and record the responses',
    )
    .option('--watch', 'keep running, and repeat the tests affected by each saved file')
    .option('--coverage', 'measure and show code coverage')
    .option(
      '--coverage-threshold <percent>',
      'the same, and fail below this coverage of statements or branches',
      percent,
    )
    .option('--lcov <file>', 'the same, and write it to a file for editors')
    .option('--json', 'print one JSON object, the same as --reporter json')
    .addOption(
      new Option('--reporter <kind>', 'format of the report').choices(['text', 'json', 'junit']).default('text'),
    )
    .option('--out <file>', 'write the json or junit report to a file, and print it as text too')
    // A wrong flag must not look like a failed test.
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : notTestedStatus))
  return withSandboxFlags(withCredentialFlags(withDestinationFlags(command)))
    .addHelpText(
      'after',
      `
Test files (NAME.test.ts, with @sluice/testing) run with the vitest of their project. A project is a folder with one of:
  transformations/NAME.ts or .js, libraries/, cases in tests/NAME/input/*.json or .yaml
  one file of code, with its cases in input/*.json or .yaml beside it
  the YAML files of RudderStack's CLI, or the meta.json of its transformation action
Beside input/, files of the same names are in output/ (expected output), conditions/ (now, seed, credentials, metadata),
fetch/ (recorded responses) and one folder per destination type, such as ga4/ (expected requests). --destination, --settings, --credential and --geolocation apply to these cases; test
files choose a destination with .to('ga4', settings). Limits apply to both.

The exit status is 0 when all passed, 1 when a case failed or was not run, and ${notTestedStatus} when nothing could be tested.

Examples:
  sluice test
  sluice test transformations/mask.ts --watch
  sluice test --filter order --update
  sluice test tests/mask --record
  sluice test --record --fetch-address localhost --credential api_key=env:API_KEY
  sluice test --coverage-threshold 80 --lcov coverage/lcov.info
  sluice test --reporter junit --out report.xml
  sluice test --from-traffic events.ndjson --personal context.traits.ssn --destination webhook --settings '{"webhookUrl":"https://hook.test/in"}'
  sluice test --destination webhook --settings '{"webhookUrl":"https://hook.test/in"}'`,
    )
    .action(async (paths: readonly string[], flags: TestFlags & Partial<TrafficFlags>) => {
      const { fromTraffic, ...others } = flags
      if (fromTraffic !== undefined)
        return (await import('../traffic/test-traffic.ts')).testTraffic(paths, { ...others, fromTraffic })
      return (await import('./test-projects.ts')).testProjects(paths, flags)
    })
}

function wholeNumber(value: string): number {
  const number = Number(value)
  if (value.trim() !== '' && Number.isSafeInteger(number) && number >= 0) return number
  throw new InvalidArgumentError('expected a whole number')
}

function percent(value: string): number {
  const number = Number(value)
  if (value.trim() !== '' && number >= 0 && number <= 100) return number
  throw new InvalidArgumentError('expected a number from 0 to 100')
}
