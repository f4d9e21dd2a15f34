/** Returns a position in a list, encoded to be opaque. */
export function cursorOf(place: number): string {
  return Buffer.from(`after:${place}`).toString('base64url')
}

/** Returns the position of a cursor, 0 for none; undefined for a text that is no cursor. */
export function placeOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return 0
  const digits = /^after:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  return digits === undefined ? undefined : Number(digits)
}
