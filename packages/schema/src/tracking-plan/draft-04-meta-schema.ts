const self = { $ref: '#' }
const count = { type: 'integer', minimum: 0 }
const list = { type: 'array', minItems: 1 }
const schemaOrFlag = { anyOf: [{ type: 'boolean' }, self] }
const schemaMap = { type: 'object', additionalProperties: self }
const schemaList = { ...list, items: self }
const textList = { ...list, items: { type: 'string' }, uniqueItems: true }
const simpleType = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] }

/** The schema of schemas of draft-04, which ajv does not bring along. Source: json-schema.org/draft-04/schema. */
export const draft04MetaSchema: object = {
  id: 'http://json-schema.org/draft-04/schema#',
  $schema: 'http://json-schema.org/draft-04/schema#',
  type: 'object',
  properties: {
    id: { type: 'string' },
    $schema: { type: 'string' },
    title: { type: 'string' },
    description: { type: 'string' },
    multipleOf: { type: 'number', minimum: 0, exclusiveMinimum: true },
    maximum: { type: 'number' },
    exclusiveMaximum: { type: 'boolean' },
    minimum: { type: 'number' },
    exclusiveMinimum: { type: 'boolean' },
    maxLength: count,
    minLength: count,
    pattern: { type: 'string' },
    additionalItems: schemaOrFlag,
    items: { anyOf: [self, schemaList] },
    maxItems: count,
    minItems: count,
    uniqueItems: { type: 'boolean' },
    maxProperties: count,
    minProperties: count,
    required: textList,
    additionalProperties: schemaOrFlag,
    definitions: schemaMap,
    properties: schemaMap,
    patternProperties: schemaMap,
    dependencies: { type: 'object', additionalProperties: { anyOf: [self, textList] } },
    enum: { ...list, uniqueItems: true },
    type: { anyOf: [simpleType, { ...list, items: simpleType, uniqueItems: true }] },
    format: { type: 'string' },
    allOf: schemaList,
    anyOf: schemaList,
    oneOf: schemaList,
    not: self,
  },
  dependencies: { exclusiveMaximum: ['maximum'], exclusiveMinimum: ['minimum'] },
}
