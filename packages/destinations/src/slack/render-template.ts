import type { JsonObject, JsonValue } from '@sluice/core'
import Handlebars from 'handlebars'
import { text } from '../convert/text.ts'
import { configurationError, type MappingError } from '../mapping-error.ts'

/** What a template can name. */
export type TemplateData = Readonly<Record<string, JsonValue | NamedValues | undefined>>

const handlebars = Handlebars.create()
handlebars.registerHelper('newline', () => '\n')

const templatesMax = 1000 // a workspace has a handful; the limit keeps resolved settings from piling up
const compiled = new Map<string, Handlebars.TemplateDelegate>()

/**
 * Fills a Handlebars template. Values are escaped as HTML, which is what Slack wants of `&`, `<` and `>`; `{{newline}}` is
 * a line break. Templates are compiled once, to generated code.
 */
export function renderTemplate(template: string, data: TemplateData): string | MappingError {
  try {
    let render = compiled.get(template)
    if (!render) {
      if (compiled.size >= templatesMax) compiled.clear()
      render = handlebars.compile(template)
      compiled.set(template, render)
    }
    return render(data)
  } catch (error) {
    const [line] = error instanceof Error ? error.message.split('\n') : []
    return configurationError(`A template cannot be filled: ${line}`)
  }
}

/** An object that a template can take members of and also print, as `name: value ` for each. */
export interface NamedValues extends JsonObject {}

export function namedValues(values: JsonObject): NamedValues {
  // Printed when a template asks for it, which few do.
  const print = (): string =>
    Object.entries(values)
      .map(([key, value]) => `${key}: ${text(value ?? null)} `)
      .join('')
  return Object.defineProperty({ ...values }, 'toString', { value: print, enumerable: false })
}
