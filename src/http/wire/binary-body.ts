// Routes whose body is bytes: a scope of the application that accepts only application/octet-stream.
import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../domain/model/errors.ts';

/** @param mount adds routes to the scope; hooks, error handler and limits are the application's */
export function mountBinaryRoutes(app: FastifyInstance, mount: (bytes: FastifyInstance) => void): void {
  void app.register((bytes, _options, done) => {
    bytes.removeAllContentTypeParsers();
    bytes.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (request, body, parsed) => {
      request.rawBodyBytes = body.length;
      parsed(null, body);
    });
    bytes.addContentTypeParser('*', (_request, _payload, parsed) => {
      const message = 'Send the bytes as Content-Type: application/octet-stream.';
      parsed(new DomainError('unsupported_type', 'not_bytes', message));
    });
    mount(bytes);
    done();
  });
}
