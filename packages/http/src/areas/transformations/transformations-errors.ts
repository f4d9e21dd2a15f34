export const saveErrors = [
  'codeTooLarge',
  'codeInvalid',
  'nameMissing',
  'nameTooLong',
  'languageUnknown',
  'publishContradicts',
  'storageFull',
] as const

export const publishErrors = ['testsFailed', 'publishBreaks', 'changedMeanwhile', 'busy'] as const

export const connectErrors = [
  'eventsNeedPublish',
  'testInputInvalid',
  'destinationsNeedPublish',
  'destinationUnknown',
  'destinationTaken',
] as const

export const payloadErrors = ['publishEmpty', 'publishTwice', 'versionUnknown', 'testInputInvalid'] as const
