import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { agreementTable } from './agreement-table.ts'
import { createDestinationRunner } from './destinations.ts'
import { readDeviations } from './deviations.ts'
import type { Row, RowResult, RowRunner } from './row.ts'
import { createSegmentActionsRunner } from './segment-actions.ts'
import { createUserTransformationRunner } from './user-transformations.ts'
import { createWarehouseRunner } from './warehouse.ts'
import { wrongRow } from './wrong-row.ts'

/** Rows of each group that are run with a wrong expectation too. */
const plantedMax = 3

const help = `pnpm conformance DIR... [--floor FILE] [--segment DIR] [--table]

Runs every row of every JSON or NDJSON file in each DIR through the product's public functions. One JSON line per row on standard output
({"id","pass","reason", and "deviation" for rows that differ on purpose}), a table on standard error, last line "N passed, N failed": without
the rows that differ on purpose, which test/conformance/deviations.json lists. Rows of a kind that does not exist yet fail.

Of each group, ${plantedMax} rows that agree are run again with a wrong expectation. If such a row agrees, the exit status is 1.

  --table        one line per destination with its agreement instead of one JSON line per row
  --segment DIR  folder in which @segment/action-destinations is installed; without it, its rows fail
  --floor FILE   JSON of how many rows of each group must pass at least; fewer make the exit status 1`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    table: { type: 'boolean' },
    floor: { type: 'string' },
    segment: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})
const missing = positionals.find((folder) => !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
if (positionals.length === 0 || values.help) {
  process.stdout.write(`${help}\n`)
  process.exitCode = values.help ? 0 : 1
} else if (missing !== undefined) {
  process.stderr.write(`${missing} is not a folder\n`)
  process.exitCode = 1
} else await runFolders(positionals)

async function runFolders(folders: readonly string[]): Promise<void> {
  const deviations = readDeviations(new URL('../deviations.json', import.meta.url))
  const runners = [
    await createUserTransformationRunner(),
    createDestinationRunner(deviations),
    createWarehouseRunner(),
    ...(values.segment === undefined ? [] : [createSegmentActionsRunner(resolve(values.segment))]),
  ]
  const totals = new Map<string, { passed: number; failed: number; deviating: number }>()
  for (const file of folders.flatMap(filesIn)) {
    for (const [index, row] of rowsOf(file).entries()) {
      const runner = runners.find((each) => each.groupOf(row) !== undefined)
      const group = runner?.groupOf(row) ?? basename(file, '.json')
      const id = idOf(row, file, index)
      const plain = await resultOf(row, id, runner)
      const deviation = deviations.reasonOf(id)
      const result = deviation === undefined ? plain : { ...plain, deviation }
      if (!values.table) process.stdout.write(`${JSON.stringify(result)}\n`)
      const total = totals.get(group) ?? { passed: 0, failed: 0, deviating: 0 }
      totals.set(group, total)
      total[result.pass ? 'passed' : deviation === undefined ? 'failed' : 'deviating'] += 1
      if (result.pass && deviation !== undefined) {
        process.stderr.write(`${id} agrees: take it out of deviations.json\n`)
        process.exitCode = 1
      }
      if (runner && result.pass && total.passed <= plantedMax) await plantWrong(row, result.id, runner)
    }
  }
  for (const runner of runners) await runner.close()
  const sum = { passed: 0, failed: 0, deviating: 0 }
  for (const [group, { passed, failed, deviating }] of totals) {
    if (!values.table)
      process.stderr.write(
        `${group.padEnd(44)} ${String(passed).padStart(5)} passed ${String(failed).padStart(5)} failed ${String(deviating).padStart(4)} deviate\n`,
      )
    sum.passed += passed
    sum.failed += failed
    sum.deviating += deviating
  }
  checkFloor(totals)
  if (totals.size === 0) {
    // Nothing failed because nothing ran: most likely the caller meant a parent folder or a subfolder.
    process.stderr.write(`${folders.join(', ')}: no rows here; folders below are not searched\n`)
    process.exitCode = 1
  }
  if (values.table && totals.size > 0) process.stdout.write(`${agreementTable(totals)}\n`)
  process.stderr.write(`${sum.deviating} rows deviate on purpose: see test/conformance/deviations.json\n`)
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed\n`)
}

/** Fails the run when a row agrees although its expectation is wrong. */
async function plantWrong(row: Row, id: string, runner: RowRunner): Promise<void> {
  const wrong = wrongRow(row)
  if (wrong === undefined || !(await resultOf(wrong, id, runner)).pass) return
  process.stderr.write(`${id} agrees with a wrong expectation too: nothing of it is compared\n`)
  process.exitCode = 1
}

function filesIn(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => /\.(?:nd)?json$/.test(name))
  return names.sort().map((name) => join(folder, name))
}

/**
 * Fails when a group has fewer passing rows than its floor. Raise the floor when more rows pass; never lower it. A row that came to
 * differ on purpose counts.
 */
function checkFloor(totals: ReadonlyMap<string, { readonly passed: number; readonly deviating: number }>): void {
  if (values.floor === undefined) return
  const floor = JSON.parse(readFileSync(values.floor, 'utf8')) as Readonly<Record<string, number>>
  for (const [group, least] of Object.entries(floor)) {
    const { passed = 0, deviating = 0 } = totals.get(group) ?? {}
    if (passed + deviating >= least) continue
    process.stderr.write(`${group}: ${passed} rows pass and ${deviating} deviate on purpose, ${least} must\n`)
    process.exitCode = 1
  }
}

async function resultOf(row: Row, id: string, runner: RowRunner | undefined): Promise<RowResult> {
  if (runner === undefined) return { id, pass: false, reason: 'no runner exists for this kind of row' }
  try {
    const reason = await runner.run(row)
    return { id, pass: reason === '', reason }
  } catch (error) {
    return { id, pass: false, reason: error instanceof Error ? error.message : String(error) }
  }
}

function rowsOf(file: string): readonly Row[] {
  const text = readFileSync(file, 'utf8')
  const content: unknown = file.endsWith('.ndjson')
    ? text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    : JSON.parse(text)
  return Array.isArray(content) ? content.filter((row) => typeof row === 'object' && row !== null) : []
}

function idOf(row: Row, file: string, index: number): string {
  const id = row['id'] ?? row['name']
  return typeof id === 'string' ? id : `${basename(file, '.json')}.${index}`
}
