import type { BranchKind, CodePlaces } from './code-places.ts'

/** Number of executions of a place. */
export interface PlaceHits {
  /** From 1. */
  readonly line: number
  readonly hits: number
}

/** Coverage of one file. Plain data, so that processes can write it as JSON and one of them can merge it. */
export interface FileCoverage {
  /** The name given to createCoverage; usually the path from the root of the project. */
  readonly file: string
  readonly statements: readonly PlaceHits[]
  readonly functions: readonly (PlaceHits & { readonly name: string })[]
  readonly branches: readonly {
    readonly kind: BranchKind
    readonly line: number
    readonly paths: readonly PlaceHits[]
  }[]
}

/** Covered places and their total. */
export interface Share {
  readonly covered: number
  readonly total: number
}

export interface CoverageTotals {
  readonly statements: Share
  readonly branches: Share
  readonly functions: Share
}

/** Reads the hits of the places of a file. */
export function fileCoverage(file: string, places: CodePlaces, hitsOf: (probe: number) => number): FileCoverage {
  const withHits = ({ line, probe }: { line: number; probe: number }): PlaceHits => ({ line, hits: hitsOf(probe) })
  return {
    file,
    statements: places.statements.map(withHits),
    functions: places.functions.map((one) => ({ ...withHits(one), name: one.name })),
    branches: places.branches.map(({ kind, line, paths }) => ({ kind, line, paths: paths.map(withHits) })),
  }
}

/**
 * Adds up the coverage of several runs or processes by file, ordered by file name.
 * @throws Error when two of them have different code under the same name.
 */
export function mergeCoverage(runs: Iterable<readonly FileCoverage[]>): readonly FileCoverage[] {
  const files = new Map<string, FileCoverage>()
  for (const run of runs)
    for (const file of run) {
      const known = files.get(file.file)
      files.set(file.file, known ? sum(known, file) : file)
    }
  return [...files.values()].sort((a, b) => (a.file < b.file ? -1 : 1))
}

function sum(a: FileCoverage, b: FileCoverage): FileCoverage {
  if (shapeOf(a) !== shapeOf(b))
    throw new Error(
      `coverage of ${a.file} was taken of two versions of its code; remove what was written and run again`,
    )
  const added = <T extends PlaceHits>(one: readonly T[], other: readonly T[]): readonly T[] =>
    one.map((place, i) => ({ ...place, hits: place.hits + (other[i]?.hits ?? 0) }))
  return {
    file: a.file,
    statements: added(a.statements, b.statements),
    functions: added(a.functions, b.functions),
    branches: a.branches.map((branch, i) => ({ ...branch, paths: added(branch.paths, b.branches[i]?.paths ?? []) })),
  }
}

function shapeOf({ statements, functions, branches }: FileCoverage): string {
  const lines = (places: readonly PlaceHits[]): readonly number[] => places.map(({ line }) => line)
  const names = functions.map(({ name }) => name)
  const kinds = branches.map(({ kind, line, paths }) => [kind, line, lines(paths)])
  return JSON.stringify([lines(statements), lines(functions), names, kinds])
}

/** Returns the hits of each line on which a statement begins, in order: the maximum of its statements. */
export function lineHits({ statements }: Pick<FileCoverage, 'statements'>): ReadonlyMap<number, number> {
  const hits = new Map<number, number>()
  for (const place of statements) hits.set(place.line, Math.max(hits.get(place.line) ?? 0, place.hits))
  return new Map([...hits].sort(([a], [b]) => a - b))
}

/** Adds up all files. */
export function coverageTotals(files: readonly FileCoverage[]): CoverageTotals {
  const share = (places: readonly PlaceHits[]): Share => ({
    covered: places.filter(({ hits }) => hits > 0).length,
    total: places.length,
  })
  return {
    statements: share(files.flatMap(({ statements }) => statements)),
    branches: share(files.flatMap(({ branches }) => branches.flatMap(({ paths }) => paths))),
    functions: share(files.flatMap(({ functions }) => functions)),
  }
}

/** Returns a percentage; 100 when there is nothing to cover. */
export function percentOf({ covered, total }: Share): number {
  return total === 0 ? 100 : (covered / total) * 100
}
