import type { Page } from '../pages/page.ts'
import { inlineCode, markdownTable, plainText } from './markdown.ts'

/** The parts of a command of the package commander that its page shows. */
export interface CommandLike {
  name(): string
  description(): string
  readonly commands: readonly CommandLike[]
  helpInformation(): string
  outputHelp(): void
  configureOutput(output: { readonly writeOut: (text: string) => void }): unknown
  createHelp(): {
    visibleCommands(command: never): readonly { name(): string }[]
    visibleOptions(command: never): readonly OptionLike[]
    visibleArguments(command: never): readonly { name(): string; readonly description: string }[]
    optionTerm(option: never): string
    optionDescription(option: never): string
    commandUsage(command: never): string
  }
}

interface OptionLike {
  readonly flags: string
}

/** Returns a page for each command of a program, and one that lists them. Everything in it is the command's own help. */
export function commandPages(program: CommandLike): readonly Page[] {
  const commands = visibleCommands(program)
  const rows = commands.map((command) => [
    `[${inlineCode(`sluice ${command.name()}`)}](./${command.name()}.md)`,
    plainText(sentence(command.description())),
  ])
  const index = [
    '# Commands',
    'Every command of `sluice`, with the text of its `--help`. Each runs from a terminal or from CI: commands whose output programs read have `--json`.',
    markdownTable(['command', 'what it does'], rows),
    '## Exit status',
    markdownTable(
      ['status', 'when'],
      [
        ['0', 'it did what was asked'],
        ['1', 'it failed, was called wrongly, or something it processed failed; the output says why and what to do'],
        [
          '2',
          '`sluice check` found problems, `sluice plan` found changes, or `sluice salvage` could not read everything',
        ],
      ],
    ),
  ]
  return [
    { path: 'reference/commands/index', text: `${index.join('\n\n')}\n` },
    ...commands.map((command) => ({
      path: `reference/commands/${command.name()}`,
      text: `${sectionsOf(command, 'sluice', 1).join('\n\n')}\n`,
    })),
  ]
}

function visibleCommands(command: CommandLike): readonly CommandLike[] {
  const shown = command.createHelp().visibleCommands(command as never)
  const names = new Set(shown.map((each) => each.name()))
  return command.commands.filter((each) => names.has(each.name()))
}

function sectionsOf(command: CommandLike, parent: string, level: number): readonly string[] {
  const help = command.createHelp()
  const path = `${parent} ${command.name()}`
  const options = help.visibleOptions(command as never)
  const args = help.visibleArguments(command as never)
  return [
    `${'#'.repeat(level)} ${path}`,
    plainText(sentence(command.description())),
    `\`\`\`text\n${help.commandUsage(command as never)}\n\`\`\``,
    ...(args.length === 0
      ? []
      : [
          markdownTable(
            ['argument', 'meaning'],
            args.map((each) => [inlineCode(each.name()), plainText(each.description)]),
          ),
        ]),
    ...(options.length === 0
      ? []
      : [
          markdownTable(
            ['option', 'meaning'],
            options.map((each) => [
              inlineCode(help.optionTerm(each as never)),
              plainText(help.optionDescription(each as never)),
            ]),
          ),
        ]),
    ...textAfterHelp(command),
    ...visibleCommands(command).flatMap((each) => sectionsOf(each, path, level + 1)),
  ]
}

/** Returns what the help of a command has after its lists: notes and examples. */
function textAfterHelp(command: CommandLike): readonly string[] {
  let shown = ''
  command.configureOutput({
    writeOut: (text) => {
      shown += text
    },
  })
  command.outputHelp()
  const text = shown.slice(command.helpInformation().length).trim()
  return text === '' ? [] : [`\`\`\`text\n${text}\n\`\`\``]
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
