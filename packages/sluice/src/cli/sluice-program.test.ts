import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { sluiceProgram } from './sluice-program.ts'

const all = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(all)]

function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp()
  return text
}

const commands = all(sluiceProgram('1.2.3'))

it.each(commands.map((command) => [pathOf(command), command]))(
  '%s shows examples of itself with --help',
  (path, command) => {
    const [, examples = ''] = helpOf(command).split('\nExamples:\n')
    const lines = examples.split('\n').filter((line) => line !== '')
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) expect(line).toContain(path)
  },
)

it.each(commands.map((command) => [pathOf(command), command]))('%s shows its defaults in words', (_, command) => {
  expect(helpOf(command)).not.toMatch(/\(default: [[{]/)
})

it('lists its commands in groups by purpose', () => {
  const headings = [...helpOf(sluiceProgram('1.2.3')).matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual([
    'Options',
    'Write and test transformations, offline',
    'Publish them to a server',
    'Configure a server, from files',
    'Configure a server, one by one',
    'Run a server',
    'Observe and operate a server',
    'Other',
    'Examples',
  ])
})

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}
