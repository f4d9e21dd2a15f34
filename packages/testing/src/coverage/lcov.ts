import { coverageTotals, type FileCoverage, lineHits } from './file-coverage.ts'

/**
 * Formats coverage as LCOV for editors and CI services. Paths are those of the files, with slashes; relative ones refer
 * to the folder of the output file. Source: geninfo(1) of LCOV, FILES.
 */
export function toLcov(files: readonly FileCoverage[]): string {
  return files.map(record).join('')
}

function record(file: FileCoverage): string {
  const { functions, branches } = coverageTotals([file])
  const lines = lineHits(file)
  const names = uniqueNames(file.functions)
  const records = [
    'TN:',
    `SF:${file.file.replaceAll('\\', '/').replace(/[\r\n]/g, ' ')}`,
    ...file.functions.map(({ line }, i) => `FN:${line},${names[i]}`),
    ...file.functions.map(({ hits }, i) => `FNDA:${hits},${names[i]}`),
    `FNF:${functions.total}`,
    `FNH:${functions.covered}`,
    ...file.branches.flatMap(({ line, paths }, block) =>
      paths.map(({ hits }, path) => `BRDA:${line},${block},${path},${hits}`),
    ),
    `BRF:${branches.total}`,
    `BRH:${branches.covered}`,
    ...[...lines].map(([line, hits]) => `DA:${line},${hits}`),
    `LF:${lines.size}`,
    `LH:${[...lines.values()].filter((hits) => hits > 0).length}`,
    'end_of_record',
  ]
  return `${records.join('\n')}\n`
}

/** Makes function names unique, because readers distinguish functions of a file only by name. */
function uniqueNames(functions: FileCoverage['functions']): readonly string[] {
  const seen = new Set<string>()
  return functions.map(({ name, line }) => {
    const plain = name.replace(/[\r\n,]/g, '_')
    let unique = plain
    for (let n = 0; seen.has(unique); n += 1) unique = `${plain}:${line}${n === 0 ? '' : `:${n}`}`
    seen.add(unique)
    return unique
  })
}
