// Routes whose body may be YAML: a scope of the application that accepts it beside JSON.
import type { FastifyInstance } from 'fastify';
import { readDocumentText } from '../../domain/prd/document/read-text.ts';
import { DomainError } from '../../domain/model/errors.ts';
import { findJsonViolation } from '../../lib/json/json-violation.ts';
import { invalidInput } from '../pipeline/schema.ts';

const maxDepth = 64;

/** @param mount adds routes to the scope; hooks, error handler and limits are the application's */
export function mountYamlRoutes(app: FastifyInstance, mount: (scope: FastifyInstance) => void): void {
  void app.register((scope, _options, done) => {
    scope.addContentTypeParser('application/yaml', { parseAs: 'string' }, (request, body, parsed) => {
      const text = String(body);
      request.rawBodyBytes = Buffer.byteLength(text);
      let value: unknown;
      try {
        value = readDocumentText(text);
      } catch (error) {
        return parsed(toInvalidYaml(error));
      }
      const violation = findJsonViolation(value, maxDepth);
      return violation === undefined ? parsed(null, value) : parsed(invalidInput([violation]));
    });
    mount(scope);
    done();
  });
}

/** The reader's message names no path, because nothing of the body could be read. */
function toInvalidYaml(error: unknown): DomainError {
  const message = error instanceof Error ? error.message : 'The body is not YAML.';
  return new DomainError('invalid', 'invalid_prd', message, { errors: [{ path: '', message }], cause: error });
}
