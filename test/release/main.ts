import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { report, runSteps } from './run-steps.ts'
import { steps } from './steps.ts'

const help = `npx pnpm@10 release --dry-run [options]

Checks all that a release needs, and publishes nothing. Takes a few minutes, and needs the registry of npm.

  --dry-run           required: publishing is done by CI
  --only <names>      steps to run, separated by commas or by several --only (default: all)
  --repository <url>  repository that packages name (default: that of the CI, or of the remote origin)
  --write             replace the reports of public types (step api)
  --since <ref>       what the public types are compared with (step api; default: main)
  --json              print the result as JSON
  --help              print this

Steps:
${steps.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`).join('\n')}

Ends with status 1 when a step has problems, and 2 for wrong options.
`

const root = join(import.meta.dirname, '../../..')

function options() {
  return parseArgs({
    options: {
      'dry-run': { type: 'boolean' },
      only: { type: 'string', multiple: true },
      repository: { type: 'string' },
      write: { type: 'boolean' },
      since: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values
}

function refuse(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 2
}

async function main(): Promise<void> {
  const given = options()
  if (given.help) return void process.stdout.write(help)
  if (!given['dry-run']) return refuse('Only --dry-run is possible here: CI publishes, with provenance. See --help.')
  const names = given.only?.flatMap((each) => each.split(','))
  const unknown = names?.find((name) => steps.every((step) => step.name !== name))
  if (unknown !== undefined)
    return refuse(`--only ${unknown}: there is no such step; allowed: ${steps.map(({ name }) => name).join(', ')}`)
  const chosen = names ? steps.filter(({ name }) => names.includes(name)) : steps
  const settings = { isWriting: given.write === true, since: given.since ?? 'main', repository: given.repository }
  const outcomes = await runSteps(root, chosen, settings)
  process.stdout.write(given.json ? `${JSON.stringify(outcomes, null, 2)}\n` : report(outcomes))
  if (outcomes.some(({ problems }) => problems.length > 0)) process.exitCode = 1
}

try {
  await main()
} catch (error) {
  if ((error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')) refuse((error as Error).message)
  else throw error
}
