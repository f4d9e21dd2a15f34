/**
 * Returns whether a text is a URL of the web or of FTP with a public host: the format `url` of ajv-formats, whose own
 * expression takes quadratic time.
 */
export function isUrl(text: string): boolean {
  const scheme = /^(?:https?|ftp):\/\//i.exec(text)
  if (scheme === null || /\s/.test(text)) return false
  const first = scheme[0].length
  // What is before an @ may be a name and a password. A host has no @, so no part of the text is matched twice.
  for (let start = first; start > 0; start = text.indexOf('@', Math.max(start, first + 1)) + 1) {
    host.lastIndex = start
    if (host.test(text)) return true
  }
  return false
}

const letter = '[a-z0-9\\u{a1}-\\u{ffff}]'
const notPublic =
  '(?!(?:10|127)(?:\\.\\d{1,3}){3})(?!(?:169\\.254|192\\.168)(?:\\.\\d{1,3}){2})(?!172\\.(?:1[6-9]|2\\d|3[0-1])(?:\\.\\d{1,3}){2})'
const ipv4 =
  '(?:[1-9]\\d?|1\\d\\d|2[01]\\d|22[0-3])(?:\\.(?:1?\\d{1,2}|2[0-4]\\d|25[0-5])){2}\\.(?:[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-4])'
const label = `(?:${letter}+-)*${letter}+`
const name = `${label}(?:\\.${label})*\\.[a-z\\u{a1}-\\u{ffff}]{2,}`
const host = new RegExp(`(?:${notPublic}${ipv4}|${name})(?::\\d{2,5})?(?:\\/|$)`, 'iuy')
