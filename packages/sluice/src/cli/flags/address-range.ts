import { parseIpRanges } from '@sluice/core'
import { InvalidArgumentError, type Option } from 'commander'
import { repeatableOption } from './repeatable-option.ts'

/** Creates the option for non-public address ranges that destinations may use. */
export function addressRangeOption(): Option {
  return repeatableOption(
    '--allow-address <range>',
    'non-public address range that destinations may use, such as 10.1.0.0/16, or localhost',
    addressRange,
  )
}

/** Parses a range of addresses, or `localhost`. */
export function addressRange(value: string): string {
  try {
    parseIpRanges([value])
  } catch {
    throw new InvalidArgumentError('expected a range such as 10.1.0.0/16, an address, or localhost')
  }
  return value
}
