import type { PlacedProblem } from '@sluice/configuration/file'

/** Returns problems in the order of their files, lines and columns; first those that have no place. */
export function inOrderOfLines(problems: readonly PlacedProblem[]): readonly PlacedProblem[] {
  const files = [...new Set(problems.map(({ place }) => place?.file))]
  const orderOf = ({ place }: PlacedProblem): readonly [number, number, number] =>
    place ? [files.indexOf(place.file), place.line, place.column] : [-1, 0, 0]
  return problems.toSorted((one, other) => {
    const [a, b] = [orderOf(one), orderOf(other)]
    return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
  })
}
