import { Option } from 'commander'

/**
 * An option that may be given several times; its values are a list, empty when it is not given.
 * @param parse makes a value of one text.
 */
export function repeatableOption(
  flags: string,
  description: string,
  parse: (text: string) => unknown = (text) => text,
): Option {
  return new Option(flags, `${description} (repeatable)`)
    .argParser((text: string, earlier: readonly unknown[]) => [...earlier, parse(text)])
    .default([], 'none')
}

/** Where destination types that are not built in come from. */
export function destinationPackageOption(): Option {
  return repeatableOption(
    '--destination-package <module>',
    'file (./x.js) or npm package that exports destination types',
  )
}
