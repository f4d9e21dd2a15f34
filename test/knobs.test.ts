import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveCommand } from '../packages/sluice/src/cli/server/serve/serve-command.ts'
import { knobsOf } from './support/texts/options-in-code.ts'

const root = resolve(import.meta.dirname, '..')
const page = readFileSync(resolve(root, 'packages/sluice/KNOBS.md'), 'utf8')
const benches = readdirSync(resolve(root, 'bench')).filter((name) => name.endsWith('.bench.ts'))

const inBase: Readonly<Record<string, number>> = {
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  days: 86_400_000,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
}

interface Row {
  readonly knob: string
  readonly flag: string
  /** In milliseconds, in bytes, or as a plain number. */
  readonly value: number | string
  readonly unit: string
  readonly reason: string
  readonly bench: string
}

/** The rows of the sections whose titles begin with these words. */
function rowsOf(section: string): readonly Row[] {
  return page
    .split(/^## /m)
    .filter((text) => text.replaceAll('`', '').startsWith(section))
    .flatMap((text) => text.split('\n').filter((line) => line.startsWith('| `')))
    .map((line) => {
      const cells = line.split('|').map((cell) => cell.trim().replaceAll('`', ''))
      const [, knob = '', flag = '', shown = '', unit = '', reason = '', bench = ''] = cells
      const number = Number(shown.replaceAll(',', ''))
      const value = shown === '' || Number.isNaN(number) ? shown : number * (inBase[unit] ?? 1)
      return { knob, flag, value, unit, reason, bench }
    })
}

const http = (name: string): readonly Row[] =>
  rowsOf('HTTP').flatMap((row) =>
    row.knob.startsWith(`${name} `) ? { ...row, knob: row.knob.split(' ')[1] ?? '' } : [],
  )

/** Options that a program must provide are not knobs. */
const parts = ['engine', 'workspaces', 'audit', 'clock']
const isKnob = (path: string): boolean => !parts.includes(path)
const sections = [
  { name: 'createSluice', of: 'SluiceOptions', rows: rowsOf('createSluice'), isKnob: () => true },
  { name: 'openSqliteStore', of: 'SqliteStoreOptions', rows: rowsOf('openSqliteStore'), isKnob: () => true },
  { name: 'openPostgresStore', of: 'PostgresStoreOptions', rows: rowsOf('openPostgresStore'), isKnob: () => true },
  { name: 'createIngestionArea', of: 'IngestionOptions', rows: http('createIngestionArea'), isKnob },
  { name: 'createTokenGate', of: 'TokenGateOptions', rows: http('createTokenGate'), isKnob },
  { name: 'createTransport', of: 'TransportOptions', rows: http('createTransport'), isKnob },
]
const all = sections.flatMap(({ rows }) => rows)

describe('the page of all knobs', () => {
  for (const { name, of, rows, isKnob } of sections) {
    const inCode = knobsOf(of)
    const isAsAbove = (path: string): boolean =>
      rows.some(({ knob, value }) => value === 'as above' && path.startsWith(`${knob}.`))

    it(`has every option of ${name}, and no other`, () => {
      const listed = rows.flatMap(({ knob, value }) => (value === 'as above' ? [] : knob))
      const known = [...inCode.keys()].filter((path) => isKnob(path) && !isAsAbove(path))
      expect(known.length).toBeGreaterThan(2)
      expect([...listed].sort()).toEqual(known.sort())
    })

    it(`has the defaults of ${name} from the code`, () => {
      const literal = rows.filter(({ knob }) => inCode.get(knob) !== undefined)
      expect(literal.length).toBeGreaterThan(1)
      for (const { knob, value } of literal) expect([knob, value]).toEqual([knob, inCode.get(knob)])
    })
  }

  it('has every flag of sluice serve, with the default in its help', () => {
    const alone = rowsOf('sluice serve alone').map(({ knob: flag, flag: shown }) => ({ flag, shown }))
    const inRows = [...new Set(all.flatMap(({ flag }) => (flag === '' ? [] : flag)))]
    const { options } = serveCommand()
    expect([...inRows, ...alone.map(({ flag }) => flag)].sort()).toEqual(options.map(({ long }) => long).sort())

    for (const { long, flags, description, defaultValue } of options) {
      const row = all.find(({ flag }) => flag === long)
      const [, stated] = /\(default: ([^;,)]+)/.exec(description) ?? []
      const only = alone.find(({ flag }) => flag === long)
      if (only && typeof defaultValue !== 'object' && defaultValue !== undefined && defaultValue !== true)
        expect(only.shown).toBe(String(defaultValue))
      if (row === undefined || stated === undefined || long === '--stack') continue
      const unit = /<(\w+)>/.exec(flags)?.[1] ?? ''
      const factor =
        inBase[unit] ??
        { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 }[long?.split('-').at(-1) ?? ''] ??
        1
      const isNumber = /^\d+$/.test(stated)
      if (isNumber) expect([long, row.value]).toEqual([long, Number(stated) * factor])
      else
        expect([long, String(row.value)]).toEqual([long, stated.replace('one less than there are cores', 'cores − 1')])
    }
  })

  it('gives a reason, and names existing benches that use the knob', () => {
    const measured = all.filter(({ bench }) => bench !== 'none')
    expect(measured.length).toBeGreaterThan(8)
    for (const { knob, bench } of measured) {
      expect(benches).toContain(bench)
      const name = knob.split('.').at(-1) ?? ''
      expect([bench, readFileSync(resolve(root, 'bench', bench), 'utf8')]).toEqual([
        bench,
        expect.stringContaining(name),
      ])
    }
    const unexplained = all.filter(({ reason }) => reason === '').map(({ knob }) => knob)
    expect([...new Set(unexplained)]).toEqual(['clock', 'console.stdout', 'console.stderr'])
  })

  it('is linked from the READMEs', () => {
    for (const readme of ['README.md', 'packages/sluice/README.md', 'packages/storage/README.md'])
      expect(readFileSync(resolve(root, readme), 'utf8')).toMatch(/\((\S*\/)?KNOBS\.md\)/)
  })
})
