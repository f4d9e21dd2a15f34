/** Currencies without cents. */
const whole = new Set(['JPY', 'KRW'])

/** An amount in the smallest unit of its currency, as whole number. */
export function toCents(amount: number, currency: string): number {
  return whole.has(currency) ? Math.round(amount) : Math.round(amount * 100)
}
