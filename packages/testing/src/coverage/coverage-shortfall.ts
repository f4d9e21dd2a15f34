import { type CoverageTotals, coverageTotals, type FileCoverage, percentOf } from './file-coverage.ts'

/**
 * Checks statements and branches against a minimum percentage, each separately and over all files together.
 *
 * @param percent from 0 to 100.
 * @returns what is missing, with one line for the total and one for each file below the minimum; undefined when nothing
 * is missing.
 * @throws RangeError when `percent` is out of range.
 */
export function coverageShortfall(files: readonly FileCoverage[], percent: number): string | undefined {
  if (!(percent >= 0 && percent <= 100))
    throw new RangeError(`the coverage threshold is ${percent}, must be a number from 0 to 100`)
  const whole = missing(coverageTotals(files), percent)
  if (whole === '') return undefined
  const parts = files.flatMap((file) => {
    const short = missing(coverageTotals([file]), percent)
    return short === '' ? [] : [`  ${file.file}: ${short}`]
  })
  return [`coverage is below the threshold of ${percent} %: ${whole}`, ...parts].join('\n')
}

function missing(totals: CoverageTotals, percent: number): string {
  const kinds = ['statements', 'branches'] as const
  const short = kinds.filter((kind) => percentOf(totals[kind]) < percent)
  return short
    .map((kind) => {
      const { covered, total } = totals[kind]
      const more = Math.ceil((percent / 100) * total - 1e-9) - covered
      return `${kind} ${rounded(percentOf(totals[kind]))} % (${more} more of ${total} needed)`
    })
    .join(', ')
}

/** With one decimal place, rounded down: 79.96 % is not 80 %. */
export function rounded(percent: number): string {
  return (Math.floor(percent * 10 + 1e-9) / 10).toFixed(1)
}
