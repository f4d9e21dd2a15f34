import type { Event } from '@sluice/core'
import { afterEach, describe, expect, it } from 'vitest'
import type { Subject, SubjectFiles } from '../run/offline-run.ts'
import { createOfflineRunner } from '../run/offline-runner.ts'
import { createCoverage, instrumentedLimits } from './coverage.ts'
import { coverageShortfall } from './coverage-shortfall.ts'
import { coverageTable } from './coverage-table.ts'
import { coverageTotals, type FileCoverage, mergeCoverage } from './file-coverage.ts'
import { toLcov } from './lcov.ts'

const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close()
})

async function openCoverage(probesMax?: number) {
  const coverage = createCoverage(probesMax === undefined ? {} : { probesMax })
  const limits = instrumentedLimits({ eventTimeMs: 20 })
  const runner = await createOfflineRunner({ mode: 'in-process', probes: coverage.probes, limits })
  closing.push(runner, coverage)
  const run = async (subject: Subject, count: number, files?: SubjectFiles) => {
    const events = Array.from({ length: count }, (_, n): Event => ({ type: 'track', n }))
    return runner.run(await coverage.subject(subject, files), events)
  }
  return { coverage, run }
}

async function covered(code: string, count: number): Promise<FileCoverage> {
  const { coverage, run } = await openCoverage()
  await run({ name: 'a.js', code }, count)
  const [file] = coverage.read()
  if (file === undefined) throw new Error(`nothing was counted: ${JSON.stringify(coverage.uncounted)}`)
  return file
}

const shopCode = `export function transformEvent(event) {
  if (event.n > 1) {
    return null
  }
  const kind = event.n ? 'one' : 'none'
  event.kind = event.kind || kind
  switch (event.n) {
    case 0:
    case 1: break
    default: log('never')
  }
  return unused(event)
}
const unused = (event, { deep = 1 } = {}) => event
function never() {
  throw new Error('never')
}
`

describe('coverage', () => {
  it('counts each execution of statements, branches and functions', async () => {
    const { statements, branches, functions } = await covered(shopCode, 3)
    expect(statements.map(({ line, hits }) => [line, hits])).toEqual([
      [2, 3],
      [3, 1],
      [5, 2],
      [6, 2],
      [7, 2],
      [9, 2],
      [10, 0],
      [12, 2],
      [14, 1],
      [14, 2],
      [16, 0],
    ])
    expect(branches.map(({ kind, line, paths }) => [kind, line, ...paths.map(({ hits }) => hits)])).toEqual([
      ['if', 2, 1, 2],
      ['conditional', 5, 1, 1],
      ['logical', 6, 2, 2],
      // Falling through passes the next case as well.
      ['switch', 7, 1, 2, 0],
      ['default', 14, 2],
      ['default', 14, 2],
    ])
    expect(functions).toEqual([
      { name: 'transformEvent', line: 1, hits: 3 },
      { name: 'unused', line: 14, hits: 2 },
      { name: 'never', line: 15, hits: 0 },
    ])
  })

  it('counts what ran before an event threw, timed out or was dropped', async () => {
    const code = `export function transformEvent(event) {
      if (event.n === 0) throw new Error('x')
      if (event.n === 1) {
        event.a = 1
        for (;;);
      }
      return null
    }`
    const { statements } = await covered(code, 3)
    const hits = new Map(statements.map(({ line, hits }) => [line, hits]))
    expect([hits.get(4), hits.get(5), hits.get(7)]).toEqual([1, 1, 1])
  })

  it('adds up a library that several transformations use, under its file', async () => {
    const { coverage, run } = await openCoverage()
    const libraries = [{ name: 'plus', code: 'export const plus = (a: number, b: number): number => a + b' }]
    const files = { libraries: { plus: 'libraries/plus.ts' } }
    const code =
      "import { plus } from 'plus'\nexport const transformEvent = (event) => ({ ...event, n: plus(event.n, 1) })"
    await run({ name: 'first', code, libraries }, 2, { ...files, main: 'transformations/first.js' })
    await run({ name: 'second', code: `${code}\n`, libraries }, 3, { ...files, main: 'transformations/second.js' })
    const read = coverage.read()
    expect(read.map(({ file }) => file)).toEqual([
      'libraries/plus.ts',
      'transformations/first.js',
      'transformations/second.js',
    ])
    expect(read.map(({ functions }) => functions[0]?.hits)).toEqual([5, 2, 3])
  })

  it('counts a file from 0 again when its code has changed', async () => {
    const { coverage, run } = await openCoverage()
    await run({ name: 'a', code: 'export const transformEvent = (event) => event' }, 5)
    await run({ name: 'a', code: 'export const transformEvent = (event) => null' }, 2)
    expect(coverage.read().map(({ functions }) => functions[0]?.hits)).toEqual([2])
  })

  it('does not change code that it cannot parse, and names it', async () => {
    const { coverage } = await openCoverage()
    const subject = { name: 'broken', code: 'export function transformEvent(event) { return event', libraries: [] }
    expect(await coverage.subject(subject)).toEqual(subject)
    expect(coverage.read()).toEqual([])
    expect(coverage.uncounted).toEqual([{ file: 'broken', reason: expect.stringContaining('}') }])
    const deep = { name: 'deep', code: `export const a = ${'('.repeat(50_000)}1${')'.repeat(50_000)}`, libraries: [] }
    expect((await coverage.subject(deep)).code).toBe(deep.code)
    expect(coverage.uncounted.map(({ file }) => file)).toEqual(['broken', 'deep'])
  })

  it('names files for which no probes are left', async () => {
    const { coverage, run } = await openCoverage(5)
    await run({ name: 'large', code: shopCode }, 1)
    expect(coverage.read()).toEqual([])
    expect(coverage.uncounted).toEqual([{ file: 'large', reason: 'more than 5 places would have to be counted' }])
  })

  it('merges files of several processes', async () => {
    const [one, other] = [await covered(shopCode, 1), await covered(shopCode, 3)]
    const overJson = JSON.parse(JSON.stringify([[one], [other], [{ ...one, file: 'b.js' }]])) as FileCoverage[][]
    const [merged, beside] = mergeCoverage(overJson)
    expect(merged?.functions.map(({ hits }) => hits)).toEqual([4, 3, 0])
    expect(merged?.branches[0]?.paths.map(({ hits }) => hits)).toEqual([1, 3])
    expect(beside?.functions[0]?.hits).toBe(1)
    const changed = await covered(`\n${shopCode}`, 1)
    expect(() => mergeCoverage([[one], [changed]])).toThrow('coverage of a.js was taken of two versions of its code')
  })
})

const file = (name: string, lines: readonly number[], paths: readonly number[] = []): FileCoverage => ({
  file: name,
  statements: lines.map((hits, i) => ({ line: i + 1, hits })),
  functions: [
    { name: 'f', line: 1, hits: 1 },
    { name: 'f', line: 2, hits: 0 },
  ],
  branches: [{ kind: 'if', line: 2, paths: paths.map((hits) => ({ line: 2, hits })) }],
})

describe('the table of coverage', () => {
  const files = [file('transformations/a.js', [1, 0, 0, 1, 0], [1, 1]), file('b.js', [1, 1], [3, 0])]

  it('shows shares, missing lines, and missing branches if no line is missing', () => {
    expect(coverageTable(files).split('\n')).toEqual([
      'file                  statements  branches  functions  uncovered lines',
      '----------------------------------------------------------------------',
      'transformations/a.js      40.0 %   100.0 %     50.0 %  2-3, 5',
      'b.js                     100.0 %    50.0 %     50.0 %  (branches: 2)',
      '----------------------------------------------------------------------',
      'all files                 57.1 %    75.0 %     50.0 %',
    ])
  })

  it('is coloured only on request, by the threshold', () => {
    expect(coverageTable(files)).not.toContain('\u001b')
    const [, , first = '', second = ''] = coverageTable(files, { colours: true, threshold: 90 }).split('\n')
    expect(first).toContain('\u001b[31m    40.0 %\u001b[39m')
    expect(second).toContain('\u001b[33m  50.0 %\u001b[39m')
    expect(coverageTable(files, { colours: true, threshold: 50 })).toContain('\u001b[32m    57.1 %')
  })

  it('shows no control characters of file names', () => {
    expect(coverageTable([file('a\u001b[2J', [1])])).toContain('a?[2J')
  })
})

describe('the threshold of coverage', () => {
  const files = [file('a.js', [1, 0, 0, 1, 0], [1, 1]), file('b.js', [1, 1], [3, 0])]

  it('reports what is missing, and in which files', () => {
    expect(coverageShortfall(files, 80)).toBe(
      [
        'coverage is below the threshold of 80 %: statements 57.1 % (2 more of 7 needed), branches 75.0 % (1 more of 4 needed)',
        '  a.js: statements 40.0 % (2 more of 5 needed)',
        '  b.js: branches 50.0 % (1 more of 2 needed)',
      ].join('\n'),
    )
  })

  it('applies to all files together, and includes equality', () => {
    expect(coverageShortfall(files, 50)).toBeUndefined()
    expect(coverageShortfall([file('a', [1, 1, 0], [1, 1, 0])], 66.6)).toBeUndefined()
    expect(coverageShortfall([file('a', [1, 1, 0], [1, 1, 0])], 66.7)).toContain('66.6 %')
    expect(coverageShortfall([], 100)).toBeUndefined()
    expect(coverageTotals([]).statements).toEqual({ covered: 0, total: 0 })
  })

  it('must be a percentage', () => {
    for (const percent of [-1, 101, Number.NaN])
      expect(() => coverageShortfall([], percent)).toThrow('must be a number from 0 to 100')
  })
})

it('lcov has a record per file, with unique function names', () => {
  expect(toLcov([file('lib\\a.js', [1, 0], [3, 0])]).split('\n')).toEqual([
    'TN:',
    'SF:lib/a.js',
    'FN:1,f',
    'FN:2,f:2',
    'FNDA:1,f',
    'FNDA:0,f:2',
    'FNF:2',
    'FNH:1',
    'BRDA:2,0,0,3',
    'BRDA:2,0,1,0',
    'BRF:2',
    'BRH:1',
    'DA:1,1',
    'DA:2,0',
    'LF:2',
    'LH:1',
    'end_of_record',
    '',
  ])
})
