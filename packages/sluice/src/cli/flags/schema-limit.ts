import { defaultSchemaLimits, type SchemaLimits } from '@sluice/schema/limits'
import { InvalidArgumentError } from 'commander'

/** Parses `--schema-limit NAME=NUMBER`, and adds it to the earlier ones. */
export function schemaLimit(value: string, earlier: Partial<SchemaLimits>): Partial<SchemaLimits> {
  const [name = '', text = ''] = value.split('=')
  if (!Object.hasOwn(defaultSchemaLimits, name))
    throw new InvalidArgumentError(`expected one of: ${Object.keys(defaultSchemaLimits).join(', ')}`)
  const number = Number(text)
  if (text === '' || !Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError(`expected ${name}=NUMBER, a whole number of at least 1`)
  return { ...earlier, [name]: number }
}
