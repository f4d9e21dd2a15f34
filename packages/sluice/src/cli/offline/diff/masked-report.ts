import { detectors, type JsonValue } from '@sluice/core'
import type { SecretMask } from '@sluice/destinations/kit'
import { createPersonalDataMask } from '@sluice/schema'
import type { ChangeGroup, DiffReport } from '@sluice/testing'

/** Returns a report without secrets of settings and, unless they are to be shown, without personal data. */
export function maskedReport(
  report: DiffReport,
  secrets: readonly SecretMask[],
  showsPersonalData: boolean,
): DiffReport {
  const personal = createPersonalDataMask({ maskPaths: [], detectors })
  const maskScalar = (scalar: string | number | boolean): JsonValue => {
    const safe = typeof scalar === 'string' ? secrets.reduce((text, mask) => String(mask.value(text)), scalar) : scalar
    return showsPersonalData ? safe : personal.value(safe)
  }
  const masked = (group: ChangeGroup): ChangeGroup => {
    const { before, after, ...example } = group.example
    return {
      ...group,
      // The message of an error may quote the event.
      change: String(maskScalar(group.change)),
      example: {
        ...example,
        ...(before === undefined ? {} : { before: maskScalars(before, maskScalar) }),
        ...(after === undefined ? {} : { after: maskScalars(after, maskScalar) }),
      },
    }
  }
  return { ...report, groups: report.groups.map(masked) }
}

function maskScalars(value: JsonValue, mask: (scalar: string | number | boolean) => JsonValue): JsonValue {
  if (value === null) return null
  if (typeof value !== 'object') return mask(value)
  if (Array.isArray(value)) return value.map((each: JsonValue) => maskScalars(each, mask))
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (member === undefined ? [] : [[key, maskScalars(member, mask)]])),
  )
}
