import { rounded } from './coverage-shortfall.ts'
import { type CoverageTotals, coverageTotals, type FileCoverage, lineHits, percentOf } from './file-coverage.ts'

export interface CoverageTableOptions {
  /** Percentage from which a share is good; default 80. Affects only colours. */
  readonly threshold?: number
  /** For terminals. Default: no colours. */
  readonly colours?: boolean
}

const headings = ['file', 'statements', 'branches', 'functions', 'uncovered lines'] as const
const green = 32
const yellow = 33
const red = 31

/**
 * Formats coverage as a table for terminals: shares in percent, then lines without executed statements or, for a file
 * without such lines, the lines of branches not taken, in brackets. The last row is the total.
 */
export function coverageTable(files: readonly FileCoverage[], options: CoverageTableOptions = {}): string {
  const rows = [
    ...files.map((file) => row(file.file, coverageTotals([file]), uncovered(file))),
    row('all files', coverageTotals(files), ''),
  ]
  const texts = [[...headings], ...rows.map(({ cells }) => cells)]
  const widths = headings.map((_, column) => Math.max(...texts.map((cells) => cells[column]?.length ?? 0)))
  const line = (cells: readonly string[], percents: readonly number[] = []): string =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0
        if (column === 0) return cell.padEnd(width)
        if (column === cells.length - 1) return cell
        return coloured(cell.padStart(width), percents[column - 1], options)
      })
      .join('  ')
      .trimEnd()
  const rule = '-'.repeat(widths.reduce((sum, width) => sum + width + 2, -2))
  const lines = rows.map(({ cells, percents }) => line(cells, percents))
  return [line([...headings]), rule, ...lines.slice(0, -1), rule, ...lines.slice(-1)].join('\n')
}

function row(name: string, totals: CoverageTotals, lines: string) {
  const percents = [totals.statements, totals.branches, totals.functions].map(percentOf)
  // File names are untrusted.
  const shown = name.replace(/\p{C}/gu, '?')
  return { percents, cells: [shown, ...percents.map((percent) => `${rounded(percent)} %`), lines] }
}

function coloured(
  text: string,
  percent: number | undefined,
  { threshold = 80, colours }: CoverageTableOptions,
): string {
  if (!colours || percent === undefined) return text
  const colour = percent >= threshold ? green : percent >= threshold / 2 ? yellow : red
  return `\u001b[${colour}m${text}\u001b[39m`
}

function uncovered(file: FileCoverage): string {
  const lines = ranges([...lineHits(file)])
  if (lines !== '') return lines
  const branchLines = file.branches.flatMap(({ paths }) =>
    paths.map(({ line, hits }): [number, number] => [line, hits]),
  )
  const isCovered = new Map<number, boolean>()
  for (const [line, hits] of branchLines) isCovered.set(line, (isCovered.get(line) ?? true) && hits > 0)
  const missing = ranges([...isCovered].sort(([a], [b]) => a - b).map(([line, is]) => [line, is ? 1 : 0]))
  return missing === '' ? '' : `(branches: ${missing})`
}

/** Returns the lines without hits, as ranges where no other line of code is between them. */
function ranges(lines: readonly (readonly [line: number, hits: number])[]): string {
  const found: { start: number; end: number }[] = []
  let isOpen = false
  for (const [line, hits] of lines) {
    const last = found.at(-1)
    if (hits === 0 && isOpen && last) last.end = line
    else if (hits === 0) found.push({ start: line, end: line })
    isOpen = hits === 0
  }
  return found.map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`)).join(', ')
}
