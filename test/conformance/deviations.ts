import { readFileSync } from 'node:fs'

/** Rows that Sluice answers otherwise than recorded, on purpose. */
interface DeviatingRows {
  readonly rows: readonly string[]
  readonly reason: string
}

/** A member that the requests of a destination have beside the recorded ones. */
interface AddedMember {
  readonly destination: string
  /** Its key path in the body, such as `occurredAt` or `user.language`. */
  readonly adds: string
  readonly reason: string
}

/** What is known to differ from the recorded rows, and why. */
export interface Deviations {
  /** @returns why a row differs on purpose; undefined when it does not. */
  reasonOf(id: string): string | undefined
  /** @returns key paths that requests of a destination may have beside the recorded ones. */
  addedBy(destination: string): readonly string[]
}

/** @param file JSON: a list of `{ rows, reason }` and `{ destination, adds, reason }`. */
export function readDeviations(file: URL): Deviations {
  const all = JSON.parse(readFileSync(file, 'utf8')) as readonly (DeviatingRows | AddedMember)[]
  const reasons = new Map(
    all.flatMap((each) => ('rows' in each ? each.rows.map((id): [string, string] => [id, each.reason]) : [])),
  )
  const added = new Map<string, string[]>()
  for (const each of all)
    if ('adds' in each) added.set(each.destination, [...(added.get(each.destination) ?? []), each.adds])
  return {
    reasonOf: (id) => reasons.get(id),
    addedBy: (destination) => added.get(destination) ?? [],
  }
}
