import { Option } from 'commander'

/**
 * Creates an option that can be given several times. Its value is a list, empty by default.
 * @param parse converts one value.
 * @param unless the default in one word, for the help.
 */
export function repeatableOption(
  flags: string,
  description: string,
  parse: (text: string) => unknown = (text) => text,
  unless = 'none',
): Option {
  return new Option(flags, `${description} (repeatable)`)
    .argParser((text: string, earlier: readonly unknown[]) => [...earlier, parse(text)])
    .default([], unless)
}
