import { Option } from 'commander'

/**
 * An option that may be given several times; its values are a list, empty when it is not given.
 * @param parse makes a value of one text.
 * @param unless what holds without it, in a word for the help.
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
