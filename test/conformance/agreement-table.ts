/** Rows of a group, such as one feature of a destination, that agree and that do not. Those that differ on purpose are neither. */
export interface Total {
  readonly passed: number
  readonly failed: number
}

/**
 * Returns a table with a line per destination, lowest agreement first: rows that agree, all rows, percent. Groups of one
 * destination have its name and that of a feature.
 */
export function agreementTable(groups: ReadonlyMap<string, Total>): string {
  const totals = new Map<string, Total>()
  for (const [group, { passed, failed }] of groups) {
    const name = group.replace(/ (?:processor|router|batch|dataDelivery|deleteUsers)$/, '')
    const before = totals.get(name) ?? { passed: 0, failed: 0 }
    totals.set(name, { passed: before.passed + passed, failed: before.failed + failed })
  }
  const lines = [...totals]
    .map(([name, { passed, failed }]) => ({ name, passed, all: passed + failed, share: passed / (passed + failed) }))
    .sort((a, b) => a.share - b.share || a.name.localeCompare(b.name))
  const passed = lines.reduce((sum, line) => sum + line.passed, 0)
  const all = lines.reduce((sum, line) => sum + line.all, 0)
  const width = Math.max(5, ...lines.map(({ name }) => name.length))
  return [...lines, { name: 'all', passed, all, share: passed / all }]
    .map((line) => `${line.name.padEnd(width)} ${count(line.passed)} of ${count(line.all)} ${percent(line.share)}`)
    .join('\n')
}

const count = (rows: number): string => String(rows).padStart(5)

const percent = (share: number): string => `${(share * 100).toFixed(1).padStart(5)} %`
