import { InvalidArgumentError } from 'commander'

/** Parses the value of a flag that is a share, such as 0.99. */
export function share(value: string): number {
  const number = Number(value)
  if (value.trim() !== '' && number > 0 && number <= 1) return number
  throw new InvalidArgumentError('a number above 0 and up to 1, such as 0.99')
}
