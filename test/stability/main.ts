import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startBusyLoops } from './busy-loops.ts'
import { runProject } from './run-project.ts'

const help = `Runs the tests again and again without retry, the second half of the runs beside busy loops, and prints each
failure with the seed that repeats its draws.

  pnpm test:stability [--fast 10] [--system 3] [--loops ${availableParallelism()}] [--json]

  --fast N     runs of the fast project
  --system N   runs of the system project
  --loops N    busy loops beside the second half, one processor each
  --json       prints one line of JSON per run

Exit status 1 when a test failed.
`

const { values } = parseArgs({
  options: {
    fast: { type: 'string', default: '10' },
    system: { type: 'string', default: '3' },
    loops: { type: 'string', default: String(availableParallelism()) },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  process.stdout.write(help)
  process.exit()
}

const root = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'sluice-stability-'))
let failed = 0
for (const project of ['fast', 'system'] as const) {
  const runs = countOf(project)
  let ofProject = 0
  for (let run = 1; run <= runs; run += 1) {
    const isBusy = run > Math.ceil(runs / 2)
    const loops = startBusyLoops(isBusy ? countOf('loops') : 0)
    const seed = randomInt(2 ** 31)
    const found = await runProject(root, project, seed, folder).finally(() => loops.end())
    ofProject += found.failed
    if (values.json) process.stdout.write(`${JSON.stringify({ project, run, isBusy, seed, ...found })}\n`)
    else {
      const beside = isBusy ? `, beside ${countOf('loops')} busy loops` : ''
      process.stdout.write(
        `${project} ${run}/${runs}${beside}: ${found.passed} passed, ${found.failed} failed, ${found.seconds} s\n`,
      )
      for (const failure of found.failures) process.stdout.write(`  SLUICE_SEED=${seed} ${failure}\n`)
    }
  }
  if (!values.json && runs > 0) process.stdout.write(`${project}: ${ofProject} failures in ${runs} runs\n`)
  failed += ofProject
}
rmSync(folder, { recursive: true })
process.exitCode = failed > 0 ? 1 : 0

/** @throws Error when the option is not a whole number. */
function countOf(name: 'fast' | 'system' | 'loops'): number {
  const count = Number(values[name])
  if (!Number.isSafeInteger(count) || count < 0) throw new Error(`--${name} takes a whole number, got: ${values[name]}`)
  return count
}
