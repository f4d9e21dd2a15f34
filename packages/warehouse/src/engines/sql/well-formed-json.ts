/**
 * Returns JSON text without what databases refuse in it: escaped NUL characters are left out, and halves of surrogate
 * pairs become the replacement character. `JSON.stringify` escapes surrogates only when they are alone.
 */
export function wellFormedJson(text: string): string {
  if (!text.includes('\\u')) return text
  return text.replaceAll(/(\\\\)|\\u0000|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g, (found, pair) => {
    if (pair !== undefined) return found
    return found === '\\u0000' ? '' : '\\ufffd'
  })
}
