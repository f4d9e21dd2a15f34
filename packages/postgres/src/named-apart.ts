import type { CountDelta } from '@sluice/pipeline'
import { isNamed } from '@sluice/pipeline/store'

/** Returns the counts by name as the text of a row of their own, null when there are none, and the others. */
export function namedApart(counts: readonly CountDelta[]) {
  const named = counts.filter(isNamed)
  return {
    plain: named.length === 0 ? counts : counts.filter((count) => !isNamed(count)),
    namedJson: named.length === 0 ? null : JSON.stringify(named),
  }
}

/** Part of a statement that writes the text of `namedApart`. @param value the parameter. @param where when it is to be written. */
export function addNamedIf(value: string, where: string): string {
  return `named as (
    insert into named_count_delta (counts_json) select ${value}::text where ${value}::text is not null and ${where}
  )`
}
