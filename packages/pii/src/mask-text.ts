import { isWorthLooking } from './is-worth-looking.ts'
import type { PiiFinder, PiiKind } from './pii-finder.ts'

/** Replacement text by kind of personal data. */
export type PiiReplacements = Readonly<Record<PiiKind, string>>

export const defaultPiiReplacements: PiiReplacements = {
  email: '[email]',
  phone: '[phone]',
  card: '[card]',
  ipv4: '[ip]',
  ipv6: '[ip]',
}

/** Returns the text with personal data replaced; undefined when there is none. */
export function maskText(
  text: string,
  find: PiiFinder,
  replacements: PiiReplacements = defaultPiiReplacements,
): string | undefined {
  if (!isWorthLooking(text)) return undefined
  const whole = wholeKind(text)
  if (whole !== undefined && find.kinds.has(whole)) return replacements[whole]
  let masked = ''
  let done = 0
  for (const { kind, start, end } of find(text)) {
    masked += text.slice(done, start) + replacements[kind]
    done = end
  }
  return done === 0 ? undefined : masked + text.slice(done)
}

/** Returns the kind of a text that is a single IPv4 or email address. A cheap check that covers most personal data. */
function wholeKind(text: string): PiiKind | undefined {
  if (text.length <= ipv4LengthMax && wholeIpv4.test(text)) return 'ipv4'
  return text.length < 200 && wholeEmail.test(text) ? 'email' : undefined
}

const ipv4LengthMax = '255.255.255.255'.length
const wholeIpv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/
const wholeEmail = /^[\w+][\w.+-]{0,63}@[A-Za-z\d-]+(?:\.[A-Za-z\d-]+)*\.[A-Za-z][A-Za-z\d-]*[A-Za-z\d]$/
