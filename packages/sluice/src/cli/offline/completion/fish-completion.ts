import { type CompletedCommand, type CompletedOption, idsCommand } from './command-tree.ts'

/** For fish 3 and later. */
export function fishCompletion(tree: readonly CompletedCommand[]): string {
  const lines = tree.flatMap((command) => linesOf(command))
  return `# fish completion of sluice; sluice completion fish > ~/.config/fish/completions/sluice.fish
complete -c sluice -f
${lines.join('\n')}
`
}

function linesOf({ path, options, commands, values, lists }: CompletedCommand): readonly string[] {
  const words = path === '' ? [] : path.split(' ')
  const isHere =
    words.length === 0
      ? '__fish_use_subcommand'
      : words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
  const names = commands.map(({ name }) => name)
  const isOpen =
    names.length === 0
      ? isHere
      : words.length === 0
        ? isHere
        : `${isHere}; and not __fish_seen_subcommand_from ${names.join(' ')}`
  return [
    ...commands.map(
      ({ name, description }) => `complete -c sluice -n ${quoted(isOpen)} -a ${name} -d ${quoted(description)}`,
    ),
    ...options.map((option) => optionLine(isHere, option)),
    ...(values.length > 0 ? [`complete -c sluice -n ${quoted(isHere)} -a ${quoted(values.join(' '))}`] : []),
    ...(lists.length > 0 ? [`complete -c sluice -n ${quoted(isHere)} -a ${quoted(`(${idsCommand(lists)})`)}`] : []),
    ...(commands.length + values.length + lists.length === 0 ? [`complete -c sluice -n ${quoted(isHere)} -F`] : []),
  ]
}

function optionLine(condition: string, { names, description, values, lists }: CompletedOption): string {
  const forms = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  const words = lists.length > 0 ? `(${idsCommand(lists)})` : values?.join(' ')
  const value = values === undefined ? '' : words ? ` -x -a ${quoted(words)}` : ' -r -F'
  return `complete -c sluice -n ${quoted(condition)} ${forms.join(' ')} -d ${quoted(description)}${value}`
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
