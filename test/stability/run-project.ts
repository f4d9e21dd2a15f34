import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What one run of a project of tests found. */
export interface ProjectRun {
  readonly passed: number
  readonly failed: number
  /** Failed tests, as `file > name`, each with the first line of its error. */
  readonly failures: readonly string[]
  readonly seconds: number
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

/** Of a run that ended without one. */
const noReport: Report = { numPassedTests: 0, numFailedTests: 0, testResults: [] }
/** The end of what a run printed, where errors outside of tests are. */
const outputCharsMax = 2_000

/**
 * Runs the tests of a project once, without any retry.
 * @param seed what the run draws by: see `test/support/seed.ts`.
 */
export async function runProject(root: string, project: string, seed: number, folder: string): Promise<ProjectRun> {
  const file = join(folder, `${project}-${seed}.json`)
  const args = [
    'run',
    '--config',
    'test/vitest.config.ts',
    '--project',
    project,
    ...(project === 'system' ? ['--project', 'cluster'] : []),
  ]
  const child = spawn(join(root, 'node_modules/.bin/vitest'), [...args, '--reporter', 'json', '--outputFile', file], {
    cwd: root,
    env: { ...process.env, SLUICE_SEED: String(seed), SLUICE_EACH_TEST_ONCE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-outputCharsMax)
    })
  const start = performance.now()
  const status = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject))
  const report: Report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : noReport
  const failures: string[] = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const where = name.slice(root.length + 1)
    const failed = assertionResults.filter((each) => each.status === 'failed')
    // A file that cannot be loaded has no tests.
    if (failed.length === 0 && status === 'failed') return [`${where}: ${firstLine(message)}`]
    return failed.map((each) => `${where} > ${each.fullName}: ${firstLine(each.failureMessages?.[0] ?? '')}`)
  })
  // An error outside of tests is in no report: it ends the run with a status only.
  if (failures.length === 0 && status !== 0) failures.push(`the run ended with status ${status}: ${output}`)
  return {
    passed: report.numPassedTests,
    failed: Math.max(report.numFailedTests, failures.length),
    failures,
    seconds: Math.round((performance.now() - start) / 1_000),
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
