const whole = new Intl.NumberFormat('en-US')

/** A number of things, with separators, in figures of equal width. */
export function Count({ value }: { readonly value: number }) {
  return <span class="count">{whole.format(value)}</span>
}

/** Returns a number with separators, for texts. */
export function countText(value: number): string {
  return whole.format(value)
}
