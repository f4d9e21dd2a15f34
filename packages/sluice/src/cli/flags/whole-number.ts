import { InvalidArgumentError } from 'commander'

/** Parses the value of a flag that must be a whole number above 0. */
export function wholeNumber(value: string): number {
  const number = Number(value)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new InvalidArgumentError('a whole number above 0')
}

/** Parses the value of a flag that must be a whole number or 0. */
export function wholeNumberOrZero(value: string): number {
  return Number(value) === 0 && value.trim() !== '' ? 0 : wholeNumber(value)
}
