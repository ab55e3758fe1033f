"""Players that are programs. They use the client library and what the server shows a seat, like anybody else."""
