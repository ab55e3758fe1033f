# A small image that runs one node as a user without rights; what it keeps is in the volume /data.
FROM python:3.12-slim AS build
WORKDIR /src
COPY requirements.lock ./
RUN pip install --no-cache-dir --require-hashes --requirement requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY protocol protocol
COPY server server
RUN python -m pip wheel --no-deps --no-build-isolation --wheel-dir /wheels .

FROM python:3.12-slim
COPY requirements.server.lock /tmp/
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --require-hashes --requirement /tmp/requirements.server.lock \
    && pip install --no-cache-dir --no-deps /wheels/*.whl \
    && useradd --create-home --uid 10001 marchwarden \
    && mkdir /data && chown marchwarden /data
USER marchwarden
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
ENTRYPOINT ["marchwarden"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000", "--data", "/data"]
