import { detectors, type JsonValue } from '@sluice/core'
import { isSecretHeader, maskedText, type SecretMask } from '@sluice/destinations/kit'
import { createPersonalDataMask, hiddenValue } from '@sluice/schema'
import type { ChangeGroup, DiffReport } from '@sluice/testing'

type MaskScalar = (scalar: string | number | boolean) => JsonValue

interface Showing {
  readonly showsPersonalData: boolean
  /** Whether its source hides parts of an event, by its place from 0: then nothing that may repeat them is shown. Default: no. */
  isHidden?(place: number): boolean
}

/** Returns a report without secrets and, unless they are to be shown, without personal data: in names and keys, too. */
export function maskedReport(
  report: DiffReport,
  secrets: readonly SecretMask[],
  { showsPersonalData, isHidden = () => false }: Showing,
): DiffReport {
  const personal = createPersonalDataMask({ maskPaths: [], detectors })
  const maskScalar: MaskScalar = (scalar) => {
    const safe = typeof scalar === 'string' ? secrets.reduce((text, mask) => String(mask.value(text)), scalar) : scalar
    return showsPersonalData ? safe : personal.value(safe)
  }
  const maskText = (text: string): string => String(maskScalar(text))
  const masked = (group: ChangeGroup): ChangeGroup => {
    const { before, after, messageId, ...example } = group.example
    const hides = !showsPersonalData && isHidden(example.event - 1)
    const mask = hides ? () => hiddenValue : isSecretHeader(lastName(group.path)) ? () => maskedText : maskScalar
    return {
      ...group,
      path: maskText(group.path),
      // The message of an error may quote the event.
      change: hides ? withoutReason(group.change, maskText) : maskText(group.change),
      byName: group.byName.map(({ name, events }) => ({ name: maskText(name), events })),
      example: {
        ...example,
        messageId: messageId === null ? null : maskText(messageId),
        ...(before === undefined ? {} : { before: maskScalars(before, mask) }),
        ...(after === undefined ? {} : { after: maskScalars(after, mask) }),
      },
    }
  }
  return { ...report, groups: report.groups.map(masked) }
}

/** Returns a change up to its first reason, which may quote the event. */
function withoutReason(change: string, maskText: (text: string) => string): string {
  const at = change.indexOf('(')
  return at === -1 ? maskText(change) : `${change.slice(0, at)}(${hiddenValue})`
}

/** Returns the last name of a path: `x-api-key` of `requests[].headers["x-api-key"]`. */
function lastName(path: string): string {
  return path.endsWith('"]') ? path.slice(path.lastIndexOf('["') + 2, -2) : path.slice(path.lastIndexOf('.') + 1)
}

function maskScalars(value: JsonValue, mask: MaskScalar): JsonValue {
  if (value === null) return null
  if (typeof value !== 'object') return mask(value)
  if (Array.isArray(value)) return value.map((each: JsonValue) => maskScalars(each, mask))
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      member === undefined
        ? []
        : [[String(mask(key)), maskScalars(member, isSecretHeader(key) ? () => maskedText : mask)]],
    ),
  )
}
