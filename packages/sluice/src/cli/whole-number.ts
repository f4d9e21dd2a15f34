import { InvalidArgumentError } from 'commander'

/** Reads the value of a flag. */
export function wholeNumber(value: string): number {
  const number = Number(value)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new InvalidArgumentError('a whole number above 0')
}

/** Reads the value of a flag that may be 0. */
export function wholeNumberOrZero(value: string): number {
  return Number(value) === 0 && value.trim() !== '' ? 0 : wholeNumber(value)
}
